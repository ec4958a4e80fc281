import { Button } from '../../ui/button.tsx'
import { itemText } from './texts.ts'

export interface ItemActionsProps {
  /** Why it cannot be changed. */
  readonly arrange: string | undefined
  /** Why it cannot be deleted. */
  readonly denied: string | undefined
  readonly open: (what: 'edit' | 'delete') => void
}

export function ItemActions({ arrange, denied, open }: ItemActionsProps) {
  return (
    <>
      <Button onClick={() => open('edit')} reason={arrange}>
        {itemText('edit')}
      </Button>
      <Button kind="danger" onClick={() => open('delete')} reason={denied}>
        {itemText('delete')}
      </Button>
    </>
  )
}
