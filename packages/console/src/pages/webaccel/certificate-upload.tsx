/** Another certificate: what is in the chain is shown before it is sent. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Card } from '../../ui/page.tsx'
import { siteAllowed } from './allowed.ts'
import { readChain } from './chain.ts'
import { type Chain, ChainView } from './chain-view.tsx'
import type { SitePartProps } from './site-part.ts'
import { siteText } from './texts.ts'

const CHAIN_MAX = 10

export function CertificateUpload({ site, access, reload }: SitePartProps) {
  const [pem, setPem] = useState('')
  const [key, setKey] = useState('')
  const chain = readChain(pem)
  const send = useAction(async (way: 'add' | 'replace') => {
    const { certificateCreate, certificateUpdate } = cloud().orThrow
    const Certificate = { CertificateChain: pem, ...(key.trim() !== '' && { Key: key }) }
    const call = way === 'add' ? certificateCreate : certificateUpdate
    await call({ params: { site_id: site.ID }, body: { Certificate } })
    setPem('')
    setKey('')
    reload()
  }, siteText('certificateSaved'))
  const denied = levelReason(access, 'create')
  return (
    <Card title={siteText('uploadTitle')}>
      <Pem
        label={siteText('chain')}
        hint={siteText('chainHint')}
        file={siteText('chainFile')}
        value={pem}
        onInput={setPem}
      />
      <Pem
        label={siteText('key')}
        hint={siteText('keyHintNew')}
        file={siteText('keyFile')}
        value={key}
        onInput={setKey}
      />
      {chain.length > 0 && <Preview chain={chain} />}
      {send.error !== undefined && <ErrorBox error={send.error} />}
      <p class="note">{siteText('replaceHint')}</p>
      <div class="row">
        <Button
          kind="primary"
          isBusy={send.isBusy}
          onClick={() => void send.run('add')}
          reason={denied ?? chainProblem(chain) ?? keyProblem(key, true)}
        >
          {siteText('add')}
        </Button>
        <Button
          isBusy={send.isBusy}
          onClick={() => void send.run('replace')}
          reason={
            denied ??
            siteAllowed('replaceCertificate', site) ??
            chainProblem(chain) ??
            keyProblem(key, false)
          }
        >
          {siteText('replace')}
        </Button>
      </div>
    </Card>
  )
}

function chainProblem(chain: Chain): string | undefined {
  if (chain.length === 0) return siteText('noPem')
  if (chain.length > CHAIN_MAX) return siteText('tooMany')
  return chain.includes(undefined) ? siteText('badChain') : undefined
}

function keyProblem(key: string, isNeeded: boolean): string | undefined {
  if (key.trim() === '') return isNeeded ? siteText('keyNeeded') : undefined
  const isKey = /-----BEGIN (?:RSA |EC )?PRIVATE KEY-----/.test(key) && !key.includes('ENCRYPTED')
  return isKey ? undefined : siteText('notKey')
}

interface PemProps {
  readonly label: string
  readonly hint: string
  readonly file: string
  readonly value: string
  readonly onInput: (value: string) => void
}

function Pem({ label, hint, file, value, onInput }: PemProps) {
  return (
    <div class="stack">
      <Field label={label} hint={hint} value={value} onInput={onInput} rows={5} isMono />
      <FileField
        label={file}
        accept=".pem,.crt,.cer,.key"
        onChoose={(chosen) => void chosen?.text().then(onInput)}
      />
    </div>
  )
}

function Preview({ chain }: { chain: Chain }) {
  return (
    <section class="stack" aria-label={siteText('preview')}>
      <h3>{siteText('preview')}</h3>
      <ChainView chain={chain} />
    </section>
  )
}
