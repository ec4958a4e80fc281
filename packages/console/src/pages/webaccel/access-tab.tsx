/** Who gets at the origin and at the site: guard tokens and the access list. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { aclProblem } from './acl.ts'
import { siteAllowed } from './allowed.ts'
import type { SitePartProps } from './site-part.ts'
import { siteText } from './texts.ts'

export function AccessTab(props: SitePartProps) {
  const { site } = props
  const acl = useQuery(
    async (signal) =>
      (await cloud().orThrow.aclRead({ params: { site_id: site.ID } }, { signal })).ACL,
    [site.ID],
  )
  return (
    <>
      <GuardTokens {...props} />
      <Card title={siteText('acl')}>
        <Loaded query={acl}>
          {(stored) => <AclForm key={stored} {...props} stored={stored} reload={acl.reload} />}
        </Loaded>
      </Card>
    </>
  )
}

type TokenCall =
  | 'guardTokenCreate'
  | 'guardTokenDelete'
  | 'nextGuardTokenCreate'
  | 'nextGuardTokenDelete'

function GuardTokens({ site, access, reload }: SitePartProps) {
  const act = useAction(
    async (name: TokenCall) => {
      await cloud().orThrow[name]({ params: { site_id: site.ID } })
      reload()
    },
    (name) => siteText(name),
  )
  const denied = levelReason(access, 'arrange')
  const hasNext = site.NextOriginGuardToken !== ''
  const button = (name: TokenCall, label: string, reason?: string) => (
    <Button isBusy={act.isBusy} onClick={() => void act.run(name)} reason={denied ?? reason}>
      {label}
    </Button>
  )
  return (
    <Card title={siteText('guard')}>
      <p class="note">{siteText('guardNote')}</p>
      <Token label={siteText('token')} value={site.OriginGuardToken} />
      <Token label={siteText('nextToken')} value={site.NextOriginGuardToken} />
      {act.error !== undefined && <ErrorBox error={act.error} />}
      <div class="row">
        {button('guardTokenCreate', siteText(hasNext ? 'promote' : 'makeToken'))}
        {button('nextGuardTokenCreate', siteText('makeNext'))}
        {button('guardTokenDelete', siteText('deleteToken'), siteAllowed('deleteToken', site))}
        {button('nextGuardTokenDelete', siteText('deleteNext'), siteAllowed('deleteNext', site))}
      </div>
    </Card>
  )
}

function Token({ label, value }: { label: string; value: string }) {
  return (
    <div class="labelled">
      <span class="note">{label}</span>
      {value === '' ? <span>{siteText('none')}</span> : <CopyField label={label} value={value} />}
    </div>
  )
}

function AclForm({ site, access, stored, reload }: SitePartProps & { stored: string }) {
  const [text, setText] = useState(stored)
  const params = { site_id: site.ID }
  const save = useAction(async () => {
    await cloud().orThrow.aclSet({ params, body: { ACL: text } })
    reload()
  }, siteText('aclSaved'))
  const remove = useAction(async () => {
    await cloud().orThrow.aclDelete({ params })
    reload()
  }, siteText('aclDeleted'))
  const denied = levelReason(access, 'arrange')
  const line = aclProblem(text)
  const problem = line === undefined ? undefined : siteText('aclWrong', { line })
  const error = save.error ?? remove.error
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (denied === undefined && problem === undefined) void save.run()
      }}
    >
      <Field
        label={siteText('acl')}
        value={text}
        onInput={setText}
        rows={6}
        hint={siteText('aclHint')}
        error={problem}
        placeholder="deny 192.0.2.0/24"
        isMono
      />
      {error !== undefined && <ErrorBox error={error} />}
      <div class="row">
        <Button kind="primary" type="submit" isBusy={save.isBusy} reason={denied ?? problem}>
          {siteText('save')}
        </Button>
        <Button
          kind="danger"
          isBusy={remove.isBusy}
          onClick={() => void remove.run()}
          reason={denied ?? (stored === '' ? siteText('aclEmpty') : undefined)}
        >
          {siteText('deleteAcl')}
        </Button>
      </div>
    </form>
  )
}
