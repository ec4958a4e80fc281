/** Where the notices of one account go. */
import type { Account } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { noticeText } from './notice-texts.ts'

type Contact = NonNullable<Account['contact']>

const LANGUAGES = [
  ['en', 'English'],
  ['ja', '日本語'],
] as const

export function ContactCard({ account, onDone }: { account: Account; onDone: () => void }) {
  const { code, contact } = account
  const name = account.name || code
  const [email, setEmail] = useState(contact?.email ?? '')
  const [language, setLanguage] = useState<Contact['language']>(contact?.language ?? 'ja')
  const change = async (next: Contact | null) => {
    await cloud().orThrow.accountUpdate({ params: { code }, body: { contact: next } })
    onDone()
  }
  const save = useAction(
    () => change({ email: email.trim(), language }),
    () => noticeText('contactSaved', { name }),
  )
  const remove = useAction(
    async () => {
      await change(null)
      setEmail('')
    },
    () => noticeText('contactRemoved', { name }),
  )
  const error = save.error ?? remove.error
  return (
    <Card title={noticeText('contact', { name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save.run()
        }}
      >
        <Field
          label={noticeText('address')}
          value={email}
          onInput={setEmail}
          hint={noticeText('contactNote')}
          isRequired
        />
        <Select
          label={noticeText('language')}
          value={language}
          onChange={setLanguage}
          options={LANGUAGES}
        />
        {error !== undefined && <ErrorBox error={error} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={save.isBusy}>
            {noticeText('save')}
          </Button>
          <Button
            isBusy={remove.isBusy}
            reason={contact === null ? noticeText('noContact') : undefined}
            onClick={() => void remove.run()}
          >
            {noticeText('remove')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
