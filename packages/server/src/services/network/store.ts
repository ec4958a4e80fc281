import { NotFound } from '../../kernel/errors.ts'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import type { NetworkElement, PublicElement } from './rules.ts'

interface ElementRow {
  name: string
  address: string
  secret: string
  carriers: string
  coa_port: number
}

export const SEALED: SealedColumn = {
  ...{ table: 'network_element', column: 'secret', key: ['name'] },
  owner: (name) => `network_element ${name}`,
}

const ELEMENT = raw('name, address, secret, carriers, coa_port')

/** The elements of the operator's networks. Secrets lie sealed, bound to the element's name. */
export class ElementStore {
  readonly #tx: Tx
  readonly #box: SecretBox

  constructor(tx: Tx, box: SecretBox) {
    this.#tx = tx
    this.#box = box
  }

  async find(name: string): Promise<NetworkElement | undefined> {
    const [row] = await selectElements(this.#tx, sql`name = ${name}`)
    return row && this.#toElement(row)
  }

  async get(name: string): Promise<NetworkElement> {
    const element = await this.find(name)
    if (element === undefined) throw noElement(name)
    return element
  }

  /** In the order of their names, with the secrets opened. */
  async list(): Promise<NetworkElement[]> {
    return (await selectElements(this.#tx, raw('1 = 1'))).map((row) => this.#toElement(row))
  }

  /** With the secrets as they lie: for an export, which must not open them. */
  async listSealed(): Promise<NetworkElement[]> {
    const rows = await selectElements(this.#tx, raw('1 = 1'))
    return rows.map((row) => ({ ...toPublic(row), secret: row.secret }))
  }

  async put(element: NetworkElement): Promise<void> {
    const { name, address, secret, carriers, coaPort } = element
    await this.#tx.run(
      sql`INSERT INTO network_element (${ELEMENT})
          VALUES (${name}, ${address}, ${this.#box.seal(secret, SEALED.owner(name))},
                  ${JSON.stringify(carriers)}, ${coaPort})
          ON CONFLICT (name) DO UPDATE SET address = excluded.address, secret = excluded.secret,
            carriers = excluded.carriers, coa_port = excluded.coa_port`,
    )
  }

  async delete(name: string): Promise<void> {
    await this.#tx.run(sql`DELETE FROM network_element WHERE name = ${name}`)
  }

  /** Undefined when it was sealed under another key, or for another element. */
  open(sealed: string, name: string): string | undefined {
    try {
      return this.#box.open(sealed, SEALED.owner(name))
    } catch {
      return undefined
    }
  }

  #toElement(row: ElementRow): NetworkElement {
    return { ...toPublic(row), secret: this.#box.openOften(row.secret, SEALED.owner(row.name)) }
  }
}

export async function getElement(tx: Tx, name: string): Promise<PublicElement> {
  const [row] = await selectElements(tx, sql`name = ${name}`)
  if (row === undefined) throw noElement(name)
  return toPublic(row)
}

export async function listElements(tx: Tx): Promise<PublicElement[]> {
  return (await selectElements(tx, raw('1 = 1'))).map(toPublic)
}

/** Those with one of these names or addresses. */
export async function findElements(
  tx: Tx,
  names: readonly string[],
  addresses: readonly string[],
): Promise<PublicElement[]> {
  const where = sql`name IN ${list(names)} OR address IN ${list(addresses)}`
  return (await selectElements(tx, where)).map(toPublic)
}

export async function countElements(tx: Tx): Promise<number> {
  const row = await tx.first<{ total: number }>(
    raw('SELECT count(*) AS total FROM network_element'),
  )
  return row?.total ?? 0
}

function selectElements(tx: Tx, where: Sql): Promise<ElementRow[]> {
  return tx.all(sql`SELECT ${ELEMENT} FROM network_element WHERE ${where} ORDER BY name`)
}

function toPublic({ name, address, carriers, coa_port }: ElementRow): PublicElement {
  return { name, address, carriers: JSON.parse(carriers), coaPort: coa_port }
}

function noElement(name: string): NotFound {
  return new NotFound(
    `There is no network element ${name}.`,
    `ネットワーク装置 ${name} は存在しません。`,
  )
}
