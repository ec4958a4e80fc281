/** The software bill of materials of what is published, as CycloneDX: what is in the bundle, not what is installed. */
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import type { Package } from './packages.ts'

/** What of a package is known of the lock file: its name in `node_modules`, and the hash of its archive. */
export type Integrities = Readonly<Record<string, { readonly integrity?: string }>>

/** The same for the same sources: it has no time and no random number. */
export function sbomOf(
  own: { readonly name: string; readonly version: string; readonly license: string },
  packages: readonly (Omit<Package, 'folder'> & { readonly folder?: string })[],
  lock: Integrities,
): string {
  const root = componentOf(own, Enums.ComponentType.Application)
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root }) })
  for (const one of packages) {
    const component = componentOf(one, Enums.ComponentType.Library)
    const place = one.folder?.replace(/^.*?(?=node_modules\/)/, '') ?? `node_modules/${one.name}`
    const [, hash] = /^sha512-(.*)$/.exec(lock[place]?.integrity ?? '') ?? []
    if (hash === undefined) throw new Error(`The lock file has no hash of ${place}.`)
    component.hashes.set(
      Enums.HashAlgorithm['SHA-512'],
      Buffer.from(hash, 'base64').toString('hex'),
    )
    bom.components.add(component)
    root.dependencies.add(component.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(
    new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6),
  )
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** The headings of the licences that Vite writes; parts of packages have no version of their own. */
export function consolePackages(licenses: string): Omit<Package, 'folder'>[] {
  const headings = licenses.matchAll(/^## (\S+) - (\S+) \(([^)]+)\)$/gm)
  return [...headings]
    .map(([, name = '', version = '', license = '']) => ({ name, version, license }))
    .filter(({ version }) => version !== '0.0.0')
}

function componentOf(
  { name, version, license }: Omit<Package, 'folder'>,
  type: Enums.ComponentType,
): Models.Component {
  const [group, base] = name.startsWith('@') ? name.split('/') : [undefined, name]
  // An expression is one of several: `(MIT OR Apache-2.0)`.
  const stated = /[ (]/.test(license)
    ? new Models.LicenseExpression(license)
    : new Models.SpdxLicense(license)
  return new Models.Component(type, base ?? name, {
    ...{ version, licenses: new Models.LicenseRepository([stated]), bomRef: `${name}@${version}` },
    ...(group !== undefined && { group }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  })
}
