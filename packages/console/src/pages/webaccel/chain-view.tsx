/** A chain, leaf first, each with who signed it and until when it holds. */
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { serverNow } from '../../server-time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Facts } from '../../ui/page.tsx'
import type { ChainCertificate } from './chain.ts'
import { siteText } from './texts.ts'

export type Chain = readonly (ChainCertificate | undefined)[]

export function ChainView({ chain }: { chain: Chain }) {
  const now = useQuery(serverNow, []).data
  return (
    <ol class="chain">
      {chain.map((one, at) => (
        <li key={`${at}`}>
          <h3>{titleOf(chain, at)}</h3>
          {one !== undefined && <Shown one={one} isLeaf={at === 0} now={now} />}
        </li>
      ))}
    </ol>
  )
}

function titleOf(chain: Chain, place: number): string {
  const at = place + 1
  const one = chain[place]
  if (one === undefined) return siteText('unreadable', { at })
  if (place === 0) return siteText('leaf', { at })
  const signs = chain[place - 1]?.issuer === one.subject
  return siteText(signs ? 'link' : 'broken', { at })
}

interface ShownProps {
  readonly one: ChainCertificate
  readonly isLeaf: boolean
  /** By the server's clock; until it is known nothing is judged. */
  readonly now: number | undefined
}

function Shown({ one, isLeaf, now = Number.NaN }: ShownProps) {
  return (
    <Facts
      rows={[
        [siteText('subject'), one.subject || '–'],
        [
          siteText('issuer'),
          <>
            {one.issuer}{' '}
            {one.issuer === one.subject && <Badge tone="calm">{siteText('selfSigned')}</Badge>}
          </>,
        ],
        [
          siteText('valid'),
          <>
            {formatTime(one.notBefore)} – {formatTime(one.notAfter)}{' '}
            {one.notAfter.getTime() < now && <Badge tone="bad">{siteText('expired')}</Badge>}
            {one.notBefore.getTime() > now && <Badge tone="warn">{siteText('notYet')}</Badge>}
          </>,
        ],
        ...(isLeaf ? [[siteText('names'), one.names.join(', ') || '–'] as const] : []),
      ]}
    />
  )
}
