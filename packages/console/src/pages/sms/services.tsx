import type { PageInput } from '../../page-input.ts'
import { ItemList } from '../items/item-list.tsx'
import { smsText } from './texts.ts'

export function SmsServices({ query }: PageInput) {
  return (
    <ItemList
      title={smsText('services')}
      note={smsText('servicesNote')}
      create={smsText('createService')}
      empty={smsText('noServices')}
      class="esme"
      path="/sms"
      query={query}
    />
  )
}
