/** FreeRADIUS with accounting of its own in PostgreSQL, by the module, the schema and the queries that it comes with. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Of Debian's freeradius-config. */
const SQL = '/etc/freeradius/3.0/mods-config/sql/main/postgresql'

export async function writeSqlConfig(
  folder: string,
  databaseUrl: string,
  options: { readonly acctPort: number; readonly from: string; readonly secret: string },
): Promise<void> {
  const connection = new pg.Client(databaseUrl)
  await connection.connect()
  await connection.query(readFileSync(join(SQL, 'schema.sql'), 'utf8'))
  await connection.end()
  const { hostname, port, username, pathname } = new URL(databaseUrl)
  const { acctPort, from, secret } = options
  writeFileSync(join(folder, 'dictionary'), '')
  writeFileSync(
    join(folder, 'radiusd.conf'),
    `max_requests = 131072
log {
	destination = stdout
}
security {
	max_attributes = 200
}
thread pool {
	start_servers = 32
	max_servers = 32
	min_spare_servers = 32
	max_spare_servers = 32
	max_queue_size = 65536
}
client nas {
	ipaddr = ${from}
	secret = '${secret}'
}
modules {
	expr {
	}
	sql {
		dialect = postgresql
		driver = rlm_sql_postgresql
		server = ${hostname}
		port = ${port}
		login = ${username}
		radius_db = ${pathname.slice(1)}
		acct_table1 = radacct
		acct_table2 = radacct
		postauth_table = radpostauth
		authcheck_table = radcheck
		groupcheck_table = radgroupcheck
		authreply_table = radreply
		groupreply_table = radgroupreply
		usergroup_table = radusergroup
		client_table = nas
		group_attribute = SQL-Group
		delete_stale_sessions = yes
		pool {
			start = 32
			min = 32
			max = 32
			spare = 32
			uses = 0
			retry_delay = 1
			lifetime = 0
			idle_timeout = 0
		}
		$INCLUDE ${SQL}/queries.conf
	}
}
policy {
	$INCLUDE /etc/freeradius/3.0/policy.d/accounting
}
server bench {
	listen {
		type = acct
		ipaddr = 127.0.0.1
		port = ${acctPort}
	}
	preacct {
		acct_unique
	}
	accounting {
		sql
	}
}
`,
  )
}
