/**
 * Requests to a bucket, signed as AWS Signature Version 4 wants it: the plugin s3_auth reads its keys at a reload only.
 * The path is encoded as the signature has it, so that both ends compute the same.
 */
import { STORAGE_ERRORS } from '../origin/storage-answer.ts'
import { luaOf } from './lua-value.ts'

export const STORAGE_SCRIPT = String.raw`
local function encode(text)
  return (string.gsub(text, '[^%w%-._~/]', function(byte) return string.format('%%%02X', string.byte(byte)) end))
end

local function unescape(text)
  return (string.gsub(text, '%%(%x%x)', function(digits) return string.char(tonumber(digits, 16)) end))
end

local function objectPath(storage, path)
  local key = unescape(string.sub(path, 2))
  for segment in string.gmatch(key, '[^/]+') do
    if segment == '.' or segment == '..' then return nil end
  end
  if storage.index and (key == '' or string.sub(key, -1) == '/') then key = key .. 'index.html' end
  if key == '' then return nil end
  return '/' .. encode(storage.bucket) .. '/' .. encode(key)
end

local function sign(storage, method, path, now)
  local time = os.date('!%Y%m%dT%H%M%SZ', math.floor(now))
  local day = string.sub(time, 1, 8)
  local names = 'host;x-amz-content-sha256;x-amz-date'
  local canonical = table.concat({
    method, path, '', 'host:' .. storage.hostHeader, 'x-amz-content-sha256:UNSIGNED-PAYLOAD',
    'x-amz-date:' .. time, '', names, 'UNSIGNED-PAYLOAD',
  }, '\n')
  local scope = table.concat({ day, storage.region, 's3', 'aws4_request' }, '/')
  local text = table.concat({ 'AWS4-HMAC-SHA256', time, scope, ts.sha256(canonical) }, '\n')
  local key = hexOf('AWS4' .. storage.secret)
  for _, part in ipairs({ day, storage.region, 's3', 'aws4_request' }) do key = ts.hmac_sha256(key, part) end
  local signature = ts.hmac_sha256(key, text)
  return time, 'AWS4-HMAC-SHA256 Credential=' .. storage.accessKey .. '/' .. scope ..
    ', SignedHeaders=' .. names .. ', Signature=' .. signature
end

local ERRORS = ${luaOf(STORAGE_ERRORS)}

-- What names the bucket and the key is not passed on; whether the response was an error.
local function plainError()
  local headers, status = ts.server_response.header, ts.server_response.get_status()
  for name in pairs(ts.server_response.get_headers()) do
    if string.find(string.lower(name), '^x%-amz%-') then headers[name] = nil end
  end
  if status < 400 then return false end
  local text = ERRORS[tostring(status)]
  ts.http.set_resp(text and status or 502, (text or 'The bucket could not be read.') .. '\n')
  return true
end

-- Gives back the status and the text of a refusal.
local function toStorage(site, path)
  local request, storage = ts.client_request, site.storage
  local method = request.get_method()
  if method ~= 'GET' and method ~= 'HEAD' then return 405, 'A bucket is read by GET and HEAD.' end
  local object = objectPath(storage, path)
  if not object then return 404, 'No object can have this path.' end
  request.set_url_scheme(storage.scheme)
  request.set_url_host(storage.host)
  request.set_url_port(storage.port)
  request.set_uri(object)
  request.set_uri_args('')
  request.header['Host'] = storage.hostHeader
  for _, name in ipairs({ 'Authorization', 'Cookie', 'X-WebAccel-Guard' }) do request.header[name] = nil end
  -- Only of the request to the origin: a response to a request with Authorization would not be stored.
  ts.hook(TS_LUA_HOOK_SEND_REQUEST_HDR, function()
    local headers = ts.server_request.header
    headers['X-Amz-Content-Sha256'] = 'UNSIGNED-PAYLOAD'
    -- Only after a header was used: without one the plugin has no request yet, and ends the process.
    local time, authorization = sign(storage, ts.server_request.get_method(), object, ts.now())
    headers['X-Amz-Date'] = time
    headers['Authorization'] = authorization
  end)
end
`
