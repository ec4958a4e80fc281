import type { PageInput } from '../../page-input.ts'
import { ItemList } from '../items/item-list.tsx'
import type { Item } from '../items/items.ts'
import { iotText } from './texts.ts'

export function Projects({ query }: PageInput) {
  return (
    <ItemList
      title={iotText('projects')}
      note={iotText('projectsNote')}
      create={iotText('createProject')}
      empty={iotText('noProjects')}
      class="iotplatform"
      path="/iot"
      columns={[
        {
          key: 'adapters',
          title: iotText('adapters'),
          align: 'end',
          cell: (item: Item) => adapterIds(item).length,
        },
      ]}
      query={query}
    />
  )
}

function adapterIds({ Status }: Item): readonly unknown[] {
  return Array.isArray(Status?.Services) ? Status.Services : []
}
