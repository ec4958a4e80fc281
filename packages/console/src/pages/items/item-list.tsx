/** A list of items of one class, with a search and a way to make another. */
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { levelReason, useKey } from '../../key.ts'
import { navigate, setQuery } from '../../router.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field } from '../../ui/field.tsx'
import { iconOf } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ItemDialog } from './item-dialog.tsx'
import { type Item, listItems, matchesText } from './items.ts'
import { itemText } from './texts.ts'

export interface ItemListProps {
  readonly title: string
  readonly note: string
  readonly create: string
  readonly empty: string
  readonly class: string
  /** Where one of them is shown, before its id. */
  readonly path: string
  readonly columns?: readonly Column<Item>[]
  readonly query: Readonly<Record<string, string>>
}

export function ItemList(props: ItemListProps) {
  const denied = levelReason(useKey().data, 'create')
  const items = useQuery((signal) => listItems(props.class, signal), [props.class])
  const wanted = props.query.q ?? ''
  const open = (id: string) => navigate(`${props.path}/${id}`)
  return (
    <Page
      title={props.title}
      note={props.note}
      actions={
        <Button kind="primary" onClick={() => setQuery({ new: '1' })} reason={denied}>
          {props.create}
        </Button>
      }
    >
      <div class="filters">
        <Field
          label={itemText('search')}
          type="search"
          value={wanted}
          onInput={(q) => setQuery({ q })}
        />
      </div>
      <Loaded query={items}>
        {(list) => (
          <Table
            caption={props.title}
            columns={columnsOf(props)}
            rows={list.filter((item) => matchesText(item, wanted))}
            keyOf={({ ID = '' }) => ID}
            empty={
              list.length === 0 ? <NoItems {...props} denied={denied} /> : itemText('noneMatch')
            }
          />
        )}
      </Loaded>
      {props.query.new && (
        <ItemDialog
          title={props.create}
          class={props.class}
          onClose={() => setQuery({ new: undefined })}
          onDone={open}
        />
      )}
    </Page>
  )
}

function NoItems(props: ItemListProps & { denied: string | undefined }) {
  const { path, empty, note, create, denied } = props
  return (
    <EmptyState icon={iconOf(path)} title={empty} hint={note}>
      <Button kind="primary" onClick={() => setQuery({ new: '1' })} reason={denied}>
        {create}
      </Button>
    </EmptyState>
  )
}

function columnsOf({ path, columns = [] }: ItemListProps): Column<Item>[] {
  return [
    {
      key: 'name',
      title: itemText('name'),
      cell: ({ ID = '', Name = '' }) => <a href={`#${path}/${ID}`}>{Name || ID}</a>,
    },
    { key: 'id', title: itemText('id'), cell: ({ ID }) => <code>{ID}</code> },
    ...columns,
    {
      key: 'tags',
      title: itemText('tags'),
      cell: ({ Tags = [] }) =>
        Tags.length === 0 ? (
          '–'
        ) : (
          <span class="row">
            {Tags.map((tag) => (
              <Badge key={tag} tone="calm">
                {tag}
              </Badge>
            ))}
          </span>
        ),
    },
    {
      key: 'created',
      title: itemText('createdAt'),
      cell: ({ CreatedAt }) => formatTime(CreatedAt),
    },
  ]
}
