/** Whose resources are shown, and the way to another account: one menu, on every page. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../data/action.ts'
import { useQuery } from '../data/query.ts'
import { useStore } from '../data/store.ts'
import { navigate, parseRoute, useRoute } from '../router.ts'
import { cloud, hasKey, hasOperator, operatorPath, session, signInWith } from '../session.ts'
import { ErrorBox } from '../ui/error-box.tsx'
import { type AccountName, openAccount } from './open-account.ts'
import { shellText } from './texts.ts'

/** More are on their own page. */
const SHOWN_MAX = 50

export function AccountMenu() {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const current = useCurrentAccount()
  const { path } = useRoute()
  useEffect(() => setOpen(false), [path])
  useClosing(frame, isOpen, (isByKey) => {
    setOpen(false)
    if (isByKey) toggle.current?.focus()
  })
  const label =
    current === undefined
      ? shellText('chooseAccount')
      : shellText('accountNow', { name: current.name })
  return (
    <div class="account-menu" ref={frame}>
      <button
        type="button"
        class="button quiet account"
        ref={toggle}
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {current?.name ?? shellText('chooseAccount')} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <Choices current={current?.code} onDone={() => setOpen(false)} />}
    </div>
  )
}

/** The account of the key that is in use. It is kept with the key, so that one can change back to it. */
function useCurrentAccount(): AccountName | undefined {
  const now = useStore(session)
  const account = useQuery(
    async (signal) => (await cloud().orThrow.authStatus({}, { signal })).Account,
    [now.token],
    { when: hasKey(now) },
  )
  const { token = '', secret = '', known = [] } = now
  const isKnown = known.some((one) => one.token === token)
  useEffect(() => {
    if (account.data === undefined || isKnown || token === '') return
    signInWith({ account: account.data.Code, name: account.data.Name, token, secret })
  }, [account.data, token])
  const found = known.find((one) => one.token === token)
  if (found !== undefined) return { code: found.account, name: found.name }
  return account.data && { code: account.data.Code, name: account.data.Name }
}

interface ChoicesProps {
  readonly current: string | undefined
  readonly onDone: () => void
}

function Choices({ current, onDone }: ChoicesProps) {
  const now = useStore(session)
  const isOperator = hasOperator(now)
  const all = useQuery(
    async (signal) => (await cloud().orThrow.accountList({}, { signal })).accounts,
    [],
    { when: isOperator },
  )
  const accounts: readonly AccountName[] =
    all.data ?? now.known?.map(({ account, name }) => ({ code: account, name })) ?? []
  const open = useAction(async (account: AccountName) => {
    await openAccount(account)
    navigate(listOf(parseRoute(location.hash).path))
    onDone()
  })
  return (
    <div class="account-choices">
      {open.error !== undefined && <ErrorBox error={open.error} />}
      <ul aria-label={shellText('account')}>
        {accounts.slice(0, SHOWN_MAX).map((account) => (
          <li key={account.code}>
            <button
              type="button"
              aria-current={account.code === current ? 'true' : undefined}
              aria-busy={open.isBusy}
              onClick={() => void open.run(account)}
            >
              {account.name || account.code} <code>{account.code}</code>
            </button>
          </li>
        ))}
      </ul>
      <ul>
        {isOperator && (
          <li>
            <a href="#/operator/accounts">{shellText('allAccounts')}</a>
          </li>
        )}
        <li>
          <a href="#/sign-in">{shellText('otherKey')}</a>
        </li>
        {!isOperator && operatorPath() !== undefined && (
          <li>
            <a href="#/sign-in">{shellText('operatorSignIn')}</a>
          </li>
        )}
      </ul>
    </div>
  )
}

/** A page about one thing of the account before leads to the list of such things. */
function listOf(path: string): string {
  return path.startsWith('/operator/') ? path : `/${path.split('/')[1] ?? ''}`
}

/** Escape, and a click or the focus elsewhere, close it. */
function useClosing(
  frame: { readonly current: HTMLElement | null },
  isOpen: boolean,
  close: (isByKey: boolean) => void,
): void {
  useEffect(() => {
    if (!isOpen) return
    const elsewhere = (event: Event) => {
      if (!(event.target instanceof Node && frame.current?.contains(event.target))) close(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close(true)
    }
    addEventListener('pointerdown', elsewhere)
    addEventListener('focusin', elsewhere)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('pointerdown', elsewhere)
      removeEventListener('focusin', elsewhere)
      removeEventListener('keydown', onKey)
    }
  }, [isOpen])
}
