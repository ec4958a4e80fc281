/**
 * Questions of this edge's own process: what would be done with a request, and what is stored of its URL. They are marked
 * by a secret, have no site in the log, so that nobody counts them, and end at the lookup in the cache.
 */

/** Its value is the secret, the scheme and the address of the client. */
export const PROBE_FIELD = 'X-Kumoi-Probe'
/** The fields of an answer that is not one of the site's rules begin with this. */
export const FOUND_FIELD = 'X-Kumoi-Found'
/** Fields of the stored response that the answer has, each as `X-Kumoi-Found-` and its name. */
const FOUND_FIELDS = ['Age', 'Cache-Control', 'Content-Length', 'Date', 'Expires', 'Vary']

export const PROBE_SCRIPT = `
local FOUND_FIELDS = { '${FOUND_FIELDS.join("', '")}' }
local FOUND = { [0] = 'miss', [1] = 'stale', [2] = 'hit' }

local function probeOf()
  local given = ts.client_request.header['${PROBE_FIELD}']
  if not given then return nil end
  ts.client_request.header['${PROBE_FIELD}'] = nil
  local secret, scheme, address = string.match(given, '^(%x+) (https?) ([%x:.]+)$')
  if secret and secret == probeSecret then return { scheme = scheme, address = address } end
end

local function lookedUp()
  local status = ts.http.get_cache_lookup_status()
  local found = { ['${FOUND_FIELD}'] = FOUND[status] or 'pass' }
  if status ~= 1 and status ~= 2 then return found end
  found['${FOUND_FIELD}-Status'] = tostring(ts.cached_response.get_status())
  found['${FOUND_FIELD}-Time'] = ts.cached_response.header['@Kumoi-Time']
  for _, name in ipairs(FOUND_FIELDS) do
    found['${FOUND_FIELD}-' .. name] = ts.cached_response.header[name]
  end
  return found
end

local function lookOnly()
  local found, method = { ['${FOUND_FIELD}'] = 'pass' }, ts.client_request.get_method()
  if method ~= 'GET' and method ~= 'HEAD' then return answer(200, '', found) end
  -- Where there is no lookup, it has nowhere to go.
  ts.client_request.set_url_host('kumoi.invalid')
  ts.hook(TS_LUA_HOOK_CACHE_LOOKUP_COMPLETE, function()
    found = lookedUp()
    ts.http.set_resp(200, '')
    return -1
  end)
  ts.hook(TS_LUA_HOOK_SEND_RESPONSE_HDR, function()
    for name, value in pairs(found) do ts.client_response.header[name] = value end
  end)
  return TS_LUA_REMAP_DID_REMAP_STOP
end
`
