/** One-time URLs, judged as site/onetime.ts does. */
export const ONETIME_SCRIPT = String.raw`
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
