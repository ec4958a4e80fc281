/**
 * What Traffic Server does with a request, as a script of its plugin tslua. The sites are files of data beside it, which
 * it reads again within 100 ms of a change of the file `version`: a reload of remap.config takes up to five seconds, and
 * one that follows another at once is lost. A script that fails leaves the request to a host that does not exist.
 */
import { UNTRUE_FIELDS } from '../origin/request-fields.ts'
import { luaOf } from './lua-value.ts'
import { PROBE_SCRIPT } from './script-probe.ts'
import { STORAGE_SCRIPT } from './script-storage.ts'

const CHECK_SECONDS = 0.1
/** Sites in the memory of a state; past it all are read again when they are needed. */
const SITES_MAX = 2000

const SITES = `
local folder, checked, version, sites, count = '', 0, nil, {}, 0
local probeSecret

local function read(name)
  local file = io.open(folder .. '/' .. name, 'r')
  if not file then return nil end
  local text = file:read('*a')
  file:close()
  return text
end

function __init__(args)
  folder = args[1]
  probeSecret = read('probe')
  return 0
end

local function siteOf(host, now)
  if now - checked >= ${CHECK_SECONDS} or now < checked then
    checked = now
    local current = read('version')
    if current ~= version then version, sites, count = current, {}, 0 end
  end
  if sites[host] then return sites[host] end
  if #host > 253 or not string.match(host, '^[a-z0-9][a-z0-9.-]*$') then return nil end
  local load = loadfile(folder .. '/sites/' .. host .. '.lua')
  if not load then return nil end
  if count >= ${SITES_MAX} then sites, count = {}, 0 end
  sites[host], count = load(), count + 1
  return sites[host]
end
`

/** Addresses are compared as text of one length: `4` or `6`, then hexadecimal digits. */
const ADDRESSES = `
local function groupsOf(text)
  local groups = {}
  for group in string.gmatch(text, '%x+') do
    groups[#groups + 1] = string.format('%04x', tonumber(group, 16))
  end
  return groups
end

local function addressKey(address)
  address = string.gsub(string.lower(address), '^::ffff:(%d+%.)', '%1')
  local a, b, c, d = string.match(address, '^(%d+)%.(%d+)%.(%d+)%.(%d+)$')
  if a then return string.format('4%02x%02x%02x%02x', a, b, c, d) end
  local head, tail = string.match(address, '^(.-)::(.*)$')
  local left, right = groupsOf(head or address), groupsOf(tail or '')
  local gap = string.rep('0000', 8 - #left - #right)
  return '6' .. table.concat(left) .. gap .. table.concat(right)
end

local function firstMatch(rules, key)
  for _, rule in ipairs(rules) do
    if key >= rule.from and key <= rule.to then return rule end
  end
end

-- The nearest address that no trusted proxy has.
local function clientOf(trusted)
  local address = ts.client_request.client_addr.get_addr()
  local forwarded = ts.client_request.header['X-Forwarded-For'] or ''
  local list = {}
  for one in string.gmatch(forwarded, '[^,%s]+') do list[#list + 1] = one end
  while #list > 0 and firstMatch(trusted, addressKey(address)) do
    local before = table.remove(list)
    if not string.match(before, '^[%x:.]+$') then break end
    address = before
  end
  return address
end
`

const ONETIME = String.raw`
local function decode(text)
  local spaced = string.gsub(text, '%+', ' ')
  return (string.gsub(spaced, '%%(%x%x)', function(digits) return string.char(tonumber(digits, 16)) end))
end

local ONETIME = { webaccel_secure_time = 'time', webaccel_secure_hash = 'hash', webaccel_secure_hmac = 'hmac' }

-- The parameters of a one-time URL, whether one of them is there twice, and the query without them.
local function splitQuery(query)
  local found, isTwice, rest = {}, false, {}
  for parameter in string.gmatch(query, '[^&]+') do
    local name, value = string.match(parameter, '^([^=]*)=?(.*)$')
    local kind = ONETIME[decode(name)]
    if kind then
      isTwice = isTwice or found[kind] ~= nil
      found[kind] = decode(value)
    else
      rest[#rest + 1] = parameter
    end
  end
  return found, isTwice, table.concat(rest, '&')
end

local function hexOf(text)
  return (string.gsub(text, '.', function(byte) return string.format('%02x', string.byte(byte)) end))
end

local function isSigned(secrets, given, host, path)
  for _, secret in ipairs(secrets) do
    if given.hmac then
      local text = host .. '\n' .. path .. '\n' .. given.time
      if ts.hmac_sha256(hexOf(secret), text) == string.lower(given.hmac) then return true end
    elseif ts.md5(path .. '/' .. secret .. '/' .. given.time .. '/') == string.lower(given.hash) then
      return true
    end
  end
  return false
end

local function onetimeRefusal(site, given, isTwice, host, path, now)
  if isTwice then return 'A parameter of the one-time URL is there twice.' end
  if not given.time or #given.time > 12 or not string.match(given.time, '^%x+$') then
    return 'webaccel_secure_time is missing or is no hexadecimal time.'
  end
  if not given.hash and not given.hmac then return 'webaccel_secure_hash is missing.' end
  if not isSigned(site.onetime, given, host, path) then
    return 'The signature of the one-time URL is wrong.'
  end
  if tonumber(given.time, 16) < math.floor(now) then return 'The one-time URL has expired.' end
end
`

const ANSWERS = String.raw`
local function answer(status, text, headers)
  ts.client_request.header['@Kumoi-Cache'] = 'none'
  ts.http.set_resp(status, text == '' and text or text .. '\n')
  ts.hook(TS_LUA_HOOK_SEND_RESPONSE_HDR, function()
    for name, value in pairs(headers or {}) do ts.client_response.header[name] = value end
  end)
  return TS_LUA_REMAP_NO_REMAP_STOP
end

local function allowedOrigin(cors, origin)
  if cors.any then return '*' end
  for _, one in ipairs(cors.origins) do
    if string.lower(one) == string.lower(origin) then return origin end
  end
end

local function preflight(cors)
  local headers = ts.client_request.header
  local wanted, origin = headers['Access-Control-Request-Method'], headers['Origin']
  if ts.client_request.get_method() ~= 'OPTIONS' or not wanted or not origin then return nil end
  local vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
  local allowed = allowedOrigin(cors, origin)
  if not allowed then return 403, { Vary = vary } end
  return 204, {
    ['Vary'] = vary,
    ['Access-Control-Allow-Origin'] = allowed,
    ['Access-Control-Allow-Methods'] = wanted,
    ['Access-Control-Allow-Headers'] = headers['Access-Control-Request-Headers'],
    ['Access-Control-Max-Age'] = '7200',
  }
end

local STATUS = { [0] = 'fwd=uri-miss', [1] = 'fwd=stale', [2] = 'hit', [3] = 'fwd=bypass' }

-- What the client is sent beyond what is stored.
local function finish(site, origin)
  local headers = ts.client_response.header
  local status = ts.http.get_cache_lookup_status()
  headers['Cache-Status'] = 'kumoi; ' .. (STATUS[status] or 'fwd=miss')
  if headers['@Kumoi-Vary'] then headers['Vary'] = headers['@Kumoi-Vary'] end
  if not site.cors then return end
  headers['Access-Control-Allow-Origin'] = origin and allowedOrigin(site.cors, origin)
    or (site.cors.any and '*' or nil)
  if site.cors.any then return end
  headers['Vary'] = headers['Vary'] and headers['Vary'] .. ', Origin' or 'Origin'
end

-- Before it is stored.
local function judge(site)
  local headers = ts.server_response.header
  local vary, control = headers['Vary'], string.lower(headers['Cache-Control'] or '')
  headers['@Kumoi-Vary'] = nil
  headers['@Kumoi-Time'] = tostring(math.floor(ts.now()))
  local isAny = vary and string.find(vary, '*', 1, true)
  -- It would have a lifetime of its own for no-cache where the site has one.
  if headers['Set-Cookie'] or isAny or string.find(control, 'no-cache', 1, true) then
    ts.http.set_server_resp_no_store(1)
  end
  if vary and not site.vary then
    headers['@Kumoi-Vary'], headers['Vary'] = vary, nil
  end
end
`

const REQUEST = `
local UNTRUE_FIELDS = ${luaOf(UNTRUE_FIELDS)}

-- What every origin is sent of the way to it; false where the request has been here before.
local function mark(site, address)
  local headers = ts.client_request.header
  for _, name in ipairs(UNTRUE_FIELDS) do headers[name] = nil end
  headers['X-Forwarded-For'] = address
  local via = headers['Via']
  local own = 'kumoi-' .. site.id
  if via and string.find(via .. ',', ' ' .. own .. ',', 1, true) then return false end
  headers['Via'] = (via and via .. ', ' or '') .. '1.1 ' .. own
  return true
end

local function cacheKey(site, target)
  local purged = site.purged[target]
  local key = ts.sha256((purged or '') .. ' ' .. target)
  ts.http.set_cache_url('http://' .. site.id .. '/' .. site.generation .. '/' .. key)
end

-- The settings of Traffic Server itself that a site decides.
local function configure(site)
  local set = ts.http.config_int_set
  set(TS_LUA_CONFIG_HTTP_NORMALIZE_AE, site.normalize)
  set(TS_LUA_CONFIG_HTTP_CACHE_REQUIRED_HEADERS, site.ttl < 0 and 2 or 0)
  set(TS_LUA_CONFIG_HTTP_CACHE_HEURISTIC_MIN_LIFETIME, math.max(site.ttl, 0))
  set(TS_LUA_CONFIG_HTTP_CACHE_HEURISTIC_MAX_LIFETIME, math.max(site.ttl, 0))
end

local function toOrigin(site, path, query)
  local request, origin = ts.client_request, site.origin
  request.set_url_scheme(origin.scheme)
  request.set_url_host(origin.host)
  request.set_url_port(origin.port)
  request.header['Host'] = origin.hostHeader
  request.header['X-WebAccel-Guard'] = site.guard
  if query then request.set_uri_args(query) end
end

function do_remap()
  local now, request = ts.now(), ts.client_request
  local scheme, authority, target = string.match(request.get_pristine_url(), '^(%a+)://([^/?]*)(.*)$')
  local host = string.lower((string.gsub(authority or '', ':%d*$', '')))
  local probe = probeOf()
  if probe then scheme = probe.scheme end
  request.header['@Kumoi-Host'], request.header['@Kumoi-Cache'] = host, nil
  request.header['@Kumoi-Site'] = nil
  local site = siteOf(host, now)
  if not site then return answer(404, 'There is no site of this name.') end
  if not probe then request.header['@Kumoi-Site'] = site.id end
  if string.sub(target, 1, 1) ~= '/' then target = '/' .. target end
  local path, query = string.match(target, '^([^?]*)%??(.*)$')
  if site.disabled then return answer(503, 'The site is disabled.') end
  if scheme == 'http' and site.protocol == 'https' then
    return answer(403, 'The site is delivered by HTTPS only.')
  elseif scheme == 'http' and site.protocol == 'redirect' then
    return answer(301, 'See the address in Location.', { Location = 'https://' .. host .. site.tlsPort .. target })
  end
  local address = probe and probe.address or clientOf(site.trusted)
  local rule = #site.acl > 0 and firstMatch(site.acl, addressKey(address))
  if rule and not rule.allows then return answer(403, 'This address has no access to the site.') end
  local status, headers
  if site.cors then status, headers = preflight(site.cors) end
  if status then return answer(status, '', headers) end
  if #site.onetime > 0 then
    local given, isTwice, rest = splitQuery(query)
    local refusal = onetimeRefusal(site, given, isTwice, host, path, now)
    if refusal then return answer(403, refusal) end
    query = rest
  end
  local origin = request.header['Origin']
  if not mark(site, address) then return answer(508, 'The request came back to this site.') end
  configure(site)
  if site.storage then
    local refused, text = toStorage(site, path)
    if refused then return answer(refused, text) end
    cacheKey(site, path)
  else
    toOrigin(site, path, #site.onetime > 0 and query or nil)
    cacheKey(site, query == '' and path or path .. '?' .. query)
  end
  if probe then return lookOnly() end
  ts.hook(TS_LUA_HOOK_READ_RESPONSE_HDR, function() judge(site) end)
  ts.hook(TS_LUA_HOOK_SEND_RESPONSE_HDR, function() finish(site, origin) end)
  return TS_LUA_REMAP_DID_REMAP_STOP
end
`

export const SCRIPT = [
  SITES,
  ADDRESSES,
  ONETIME,
  ANSWERS,
  STORAGE_SCRIPT,
  PROBE_SCRIPT,
  REQUEST,
].join('')
