/** Signing in: by API key, or by the operator token, which also opens any account. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { useStore } from '../../data/store.ts'
import { navigate } from '../../router.ts'
import {
  apiPath,
  changeSession,
  clientFor,
  cloud,
  hasOperator,
  operatorPath,
  session,
  signInWith,
} from '../../session.ts'
import { openAccount } from '../../shell/open-account.ts'
import { shellText } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { signInText } from './texts.ts'

export function SignIn() {
  const isOperator = hasOperator(useStore(session))
  return (
    <div class="narrow">
      <Page title={signInText('title')}>
        {apiPath() !== undefined && <ByKey />}
        {apiPath() !== undefined && isOperator && <AsAccount />}
        {operatorPath() !== undefined && !isOperator && <ByOperatorToken />}
        {operatorPath() === undefined && <p class="note">{shellText('operatorElsewhere')}</p>}
        {apiPath() === undefined && <p class="note">{shellText('apiElsewhere')}</p>}
      </Page>
    </div>
  )
}

function ByKey() {
  const [token, setToken] = useState('')
  const [secret, setSecret] = useState('')
  const signIn = useAction(async () => {
    const given = { token: token.trim(), secret: secret.trim() }
    const { Account } = await clientFor({ ...session.value, ...given }).orThrow.authStatus()
    signInWith({ account: Account.Code, name: Account.Name, ...given })
    leave()
  })
  return (
    <Card title={signInText('keyTitle')}>
      <form onSubmit={submits(signIn.run)}>
        <Field label={signInText('token')} value={token} onInput={setToken} isMono />
        <Field
          label={signInText('secret')}
          type="password"
          value={secret}
          onInput={setSecret}
          hint={signInText('kept')}
        />
        {signIn.error !== undefined && <ErrorBox error={signIn.error} />}
        <Button
          kind="primary"
          type="submit"
          isBusy={signIn.isBusy}
          reason={token === '' || secret === '' ? signInText('missing') : undefined}
        >
          {signInText('signIn')}
        </Button>
      </form>
    </Card>
  )
}

function ByOperatorToken() {
  const [operatorToken, setToken] = useState('')
  const signIn = useAction(async () => {
    const given = { operatorToken: operatorToken.trim() }
    await clientFor({ ...session.value, ...given }).orThrow.clockRead()
    changeSession(given)
    leave()
  })
  return (
    <Card title={signInText('operatorTitle')}>
      <form onSubmit={submits(signIn.run)}>
        <Field
          label={signInText('operatorToken')}
          type="password"
          value={operatorToken}
          onInput={setToken}
          hint={signInText('operatorHint')}
        />
        {signIn.error !== undefined && <ErrorBox error={signIn.error} />}
        <Button type="submit" isBusy={signIn.isBusy}>
          {signInText('signIn')}
        </Button>
      </form>
    </Card>
  )
}

/** The operator may make keys, and so may open any account. */
function AsAccount() {
  const accounts = useQuery(
    async (signal) => (await cloud().orThrow.accountList({}, { signal })).accounts,
    [],
  )
  const [chosen, setChosen] = useState('')
  const code = chosen || accounts.data?.[0]?.code || ''
  const open = useAction(async () => {
    const name = accounts.data?.find((one) => one.code === code)?.name ?? code
    await openAccount({ code, name })
    leave()
  })
  return (
    <Card title={signInText('accountTitle')}>
      <Loaded query={accounts}>
        {(list) => (
          <form onSubmit={submits(open.run)}>
            <Select
              label={signInText('account')}
              value={code}
              onChange={setChosen}
              options={list.map((one) => [one.code, `${one.name} (${one.code})`] as const)}
              hint={signInText('newKeyHint')}
            />
            {open.error !== undefined && <ErrorBox error={open.error} />}
            <Button type="submit" isBusy={open.isBusy}>
              {signInText('newKey')}
            </Button>
          </form>
        )}
      </Loaded>
    </Card>
  )
}

function submits(run: () => Promise<boolean>) {
  return (event: Event) => {
    event.preventDefault()
    void run()
  }
}

/** A page that was asked for before the sign-in is opened after it. */
function leave(): void {
  if (location.hash.startsWith('#/sign-in')) navigate('/')
}
