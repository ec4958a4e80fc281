import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { useLevelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { gatewayText } from './texts.ts'

export function DnsCard({ id }: { id: string }) {
  const params = { appliance_id: id }
  const denied = useLevelReason('arrange')
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const dns = useQuery(
    async (signal) => (await cloud().orThrow.gatewayDnsRead({ params }, { signal })).sim_group,
    [id],
  )
  useEffect(() => {
    // Before any are set, the interface answers with an empty list.
    if (dns.data === undefined || !('dns_1' in dns.data)) return
    setFirst(dns.data.dns_1)
    setSecond(dns.data.dns_2 ?? '')
  }, [dns.data])
  const save = useAction(async () => {
    const sim_group = { dns_1: first.trim(), ...(second !== '' && { dns_2: second.trim() }) }
    await cloud().orThrow.gatewayDnsUpdate({ params, body: { sim_group } })
    dns.reload()
  }, gatewayText('resolversSaved'))
  return (
    <Card title={gatewayText('dns')}>
      {dns.error !== undefined && <ErrorBox error={dns.error} onRetry={dns.reload} />}
      <div class="fields">
        <Field label={gatewayText('dns1')} value={first} onInput={setFirst} isMono />
        <Field label={gatewayText('dns2')} value={second} onInput={setSecond} isMono />
      </div>
      {save.error !== undefined && <ErrorBox error={save.error} />}
      <div class="row">
        <Button isBusy={save.isBusy} reason={denied} onClick={() => void save.run()}>
          {gatewayText('save')}
        </Button>
      </div>
    </Card>
  )
}
