/** The certificate in use, the one before, and another one. */
import type { Certificate } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { siteAllowed } from './allowed.ts'
import { AutoCertificateCard } from './auto-certificate-card.tsx'
import { CertificateUpload } from './certificate-upload.tsx'
import { readChain } from './chain.ts'
import { ChainView } from './chain-view.tsx'
import type { SitePartProps } from './site-part.ts'
import { siteText } from './texts.ts'

function useCertificates({ ID, CertOpStatus, CertType }: SitePartProps['site']) {
  return useQuery(
    async (signal) => {
      const params = { site_id: ID }
      const { Certificate } = await cloud().orThrow.certificateRead({ params }, { signal })
      return 'Current' in Certificate || 'Old' in Certificate ? Certificate : {}
    },
    // One that comes by itself is asked for when the site says that it is there.
    [ID, CertOpStatus, CertType],
  )
}

export function CertificateTab({ site, access, reload }: SitePartProps) {
  const [isAsking, setAsking] = useState(false)
  const params = { site_id: site.ID }
  const found = useCertificates(site)
  const again = () => {
    found.reload()
    reload()
  }
  const remove = useAction(async () => {
    await cloud().orThrow.certificateDelete({ params })
    again()
  }, siteText('certificatesDeleted'))
  return (
    <>
      <Loaded query={found}>
        {({ Current, Old }) => (
          <>
            <Card
              title={siteText('current')}
              actions={
                <Button
                  kind="danger"
                  onClick={() => setAsking(true)}
                  reason={levelReason(access, 'create') ?? siteAllowed('deleteCertificate', site)}
                >
                  {siteText('delete')}
                </Button>
              }
            >
              <OneOrNone certificate={Current} />
            </Card>
            {Old?.map((certificate) => (
              <Card key={certificate.ID} title={siteText('old')}>
                <CertificateFacts certificate={certificate} />
              </Card>
            ))}
          </>
        )}
      </Loaded>
      <AutoCertificateCard site={site} access={access} reload={reload} />
      <CertificateUpload site={site} access={access} reload={again} />
      {isAsking && (
        <Confirm
          title={siteText('deleteTitle', { name: siteText('current') })}
          submit={siteText('delete')}
          action={remove}
          onClose={() => setAsking(false)}
        >
          {siteText('deleteNote')}
        </Confirm>
      )}
    </>
  )
}

function CertificateFacts({ certificate }: { certificate: Certificate }) {
  const { DNSNames, SerialNumber, SHA256Fingerprint, UpdatedAt, CertificateChain } = certificate
  return (
    <>
      <Facts
        rows={[
          [siteText('names'), DNSNames.join(', ') || '–'],
          [siteText('serial'), <code>{SerialNumber}</code>],
          [siteText('fingerprint'), <code>{SHA256Fingerprint}</code>],
          [siteText('saved'), formatTime(UpdatedAt)],
        ]}
      />
      <ChainView chain={readChain(CertificateChain)} />
    </>
  )
}

function OneOrNone({ certificate }: { certificate: Certificate | undefined }) {
  if (certificate === undefined) return <EmptyState title={siteText('noCertificate')} />
  return <CertificateFacts certificate={certificate} />
}
