/** The configuration of a FreeRADIUS that asks a server: a folder for `freeradius -d`. */

/** A packet gateway (NAS), with the secret that it shares with FreeRADIUS. */
export interface RadiusClient {
  readonly name: string
  readonly address: string
  readonly secret: string
  /** Where it takes Disconnect and CoA. */
  readonly coa_port: number
}

export interface RadiusSettings {
  /** Where FreeRADIUS will find the folder. */
  readonly folder: string
  /** Below it are `/authorize` and `/accounting`. */
  readonly url: string
  /** Of the network, not of the operator. */
  readonly token: string
  /** The CA of the server, unless it is one that the machine trusts. */
  readonly ca: string | undefined
  readonly listen: string
  readonly authPort: number
  readonly acctPort: number
  /** From where Disconnect and CoA are relayed to the packet gateways, and on which port they are taken. */
  readonly relay: { readonly from: string; readonly port: number } | undefined
  readonly clients: readonly RadiusClient[]
}

/** By name; each begins with what it is for. */
export function radiusConfig(settings: RadiusSettings): Readonly<Record<string, string>> {
  const { ca, relay } = settings
  return {
    'radiusd.conf': main(settings),
    dictionary: DICTIONARY,
    'clients.conf': clients(settings),
    'token.conf': token(settings),
    'rest.conf': rest(settings),
    'site.conf': site(settings),
    ...(relay !== undefined && { 'relay.conf': relaySite(settings, relay) }),
    ...(ca !== undefined && { 'ca.pem': ca }),
  }
}

/**
 * A thread waits for the server while its packet is committed. The server commits what waits together at once, so many
 * threads make few commits.
 */
const THREADS = 64

function main({ folder, relay }: RadiusSettings): string {
  return `# FreeRADIUS 3.2 for Kumoi, written by \`kumoi radius config\`: freeradius -d ${folder}
confdir = ${quote(folder)}
run_dir = /run/freeradius
pidfile = \${run_dir}/freeradius.pid

max_request_time = 30
# An answer is kept for so many seconds, for packets that are sent again; the most packets a second times these seconds
# must be less than the most requests.
cleanup_delay = 5
max_requests = 131072

log {
	destination = stdout
}

security {
	max_attributes = 200
	# There are no passwords to be guessed.
	reject_delay = 0
	status_server = yes
}

thread pool {
	start_servers = ${THREADS}
	max_servers = ${THREADS}
	min_spare_servers = ${THREADS}
	max_spare_servers = ${THREADS}
	max_requests_per_server = 0
	max_queue_size = 65536
}

modules {
	$INCLUDE rest.conf
	always handled {
		rcode = handled
	}
	always reject {
		rcode = reject
	}
}

$INCLUDE token.conf
$INCLUDE clients.conf
$INCLUDE site.conf
${relay === undefined ? '' : '$INCLUDE relay.conf\n'}`
}

/** rlm_rest writes dates in the time zone of the machine, with a name for it that others cannot read. */
const DICTIONARY = `# Event-Timestamp of a packet in seconds since 1970, for Kumoi; it is never in a packet.
ATTRIBUTE	Event-Timestamp-Seconds	3000	integer
`

function clients(settings: RadiusSettings): string {
  const entries = settings.clients.map(
    ({ name, address, secret }) => `
client ${quote(name)} {
	ipaddr = ${address}
	secret = ${quote(secret)}
	# Kumoi knows the packet gateway by this name.
	shortname = ${quote(name)}
}
`,
  )
  return `# The packet gateways: the network elements of Kumoi.
${entries.join('')}`
}

function token(settings: RadiusSettings): string {
  return `# The network token of Kumoi.
kumoi_authorization = "Authorization: Bearer ${settings.token}"
`
}

function rest({ url, ca }: RadiusSettings): string {
  return `# The questions to Kumoi.
rest {
	tls {
${ca === undefined ? '' : `\t\tca_info_file = \${confdir}/ca.pem\n`}		check_cert = yes
		check_cert_cn = yes
	}
	connect_timeout = 2.0
	authorize {
		uri = ${quote(`${url}/authorize`)}
		method = post
		body = json
		timeout = 4.0
		tls = \${..tls}
	}
	accounting {
		uri = ${quote(`${url}/accounting`)}
		method = post
		body = json
		timeout = 10.0
		tls = \${..tls}
	}
	pool {
		# FreeRADIUS starts without Kumoi, too.
		start = 0
		min = 0
		max = ${THREADS}
		spare = ${THREADS}
		uses = 0
		retry_delay = 1
		lifetime = 0
		idle_timeout = 60
	}
}
`
}

function site({ listen, authPort, acctPort }: RadiusSettings): string {
  const family = listen.includes(':') ? 'ipv6addr' : 'ipaddr'
  return `# What becomes of a packet.
server kumoi {
	listen {
		type = auth
		${family} = ${listen}
		port = ${authPort}
	}
	listen {
		type = acct
		${family} = ${listen}
		port = ${acctPort}
	}

	authorize {
		# The sender is who has the address and the secret, whatever the packet says. Passwords do not leave.
		update request {
			&NAS-Identifier := "%{client:shortname}"
			&NAS-IP-Address !* ANY
			&NAS-IPv6-Address !* ANY
			&User-Password !* ANY
			&CHAP-Password !* ANY
		}
		update control {
			&REST-HTTP-Header := "\${kumoi_authorization}"
		}
		rest {
			fail = 1
		}
		# No answer of Kumoi is no answer of ours: the packet gateway asks again, or asks another server.
		if (fail) {
			update control {
				&Response-Packet-Type := Do-Not-Respond
			}
			handled
		}
		if (!ok && !updated) {
			reject
		}
		update control {
			&Auth-Type := Accept
		}
	}
	post-auth {
		Post-Auth-Type REJECT {
			if (!&reply:Reply-Message) {
				update reply {
					&Reply-Message := "Kumoi does not know this packet gateway, or cannot read its packet"
				}
			}
		}
	}

	# Answered after the commit of Kumoi; without one not at all, so that the packet gateway sends it again.
	accounting {
		update request {
			&NAS-Identifier := "%{client:shortname}"
			&NAS-IP-Address !* ANY
			&NAS-IPv6-Address !* ANY
		}
		if (&Event-Timestamp) {
			update request {
				&Event-Timestamp-Seconds := "%{integer:Event-Timestamp}"
			}
		}
		update control {
			&REST-HTTP-Header := "\${kumoi_authorization}"
		}
		rest
	}
}
`
}

function relaySite(
  { clients, token }: RadiusSettings,
  { from, port }: NonNullable<RadiusSettings['relay']>,
): string {
  const servers = clients.map(
    ({ name, address, secret, coa_port: coaPort }) => `
home_server ${quote(name)} {
	type = coa
	ipaddr = ${address}
	port = ${coaPort}
	secret = ${quote(secret)}
}
home_server_pool ${quote(name)} {
	type = fail-over
	home_server = ${quote(name)}
}
`,
  )
  return `# Disconnect and CoA of Kumoi, relayed to the packet gateway that NAS-Identifier names; its answer goes back.
clients kumoi {
	client kumoi {
		ipaddr = ${from}
		secret = ${quote(token)}
	}
}
server kumoi-relay {
	listen {
		type = coa
		ipaddr = *
		port = ${port}
		clients = kumoi
	}
	recv-coa {
		update control {
			&Home-Server-Pool := "%{NAS-Identifier}"
		}
	}
}
${servers.join('')}`
}

/** Single quotes: inside double ones FreeRADIUS expands `${…}`. Neither names nor secrets have quotes themselves. */
function quote(text: string): string {
  return `'${text}'`
}
