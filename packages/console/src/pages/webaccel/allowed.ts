import type { Site } from '@kumoi/client'
import { defineAllowed } from '../../allowed.ts'

type Name =
  | 'enable'
  | 'disable'
  | 'replaceCertificate'
  | 'deleteCertificate'
  | 'promote'
  | 'deleteToken'
  | 'deleteNext'
  | 'enableAuto'
  | 'disableAuto'

/** Whether its certificates come by themselves: by the codes of docs/webaccel.md. */
export function autoStateOf({ CertType, CertOpStatus }: Site): 'off' | 'ordered' | 'on' {
  if (CertOpStatus === '1') return 'ordered'
  return CertType === '2' ? 'on' : 'off'
}

export const siteAllowed = defineAllowed<Site, Name>({
  enable: [[({ Status }) => Status !== 'enabled', ['It is enabled already.', '既に有効です。']]],
  disable: [[({ Status }) => Status === 'enabled', ['It is disabled already.', '既に無効です。']]],
  replaceCertificate: [
    [
      ({ HasCertificate }) => HasCertificate,
      ['There is no certificate to replace.', '置き換える証明書がありません。'],
    ],
  ],
  deleteCertificate: [
    [({ HasCertificate }) => HasCertificate, ['There is no certificate.', '証明書がありません。']],
  ],
  promote: [
    [
      ({ NextOriginGuardToken }) => NextOriginGuardToken !== '',
      ['There is no next token.', '次のトークンがありません。'],
    ],
  ],
  deleteToken: [
    [
      ({ OriginGuardToken }) => OriginGuardToken !== '',
      ['There is no token.', 'トークンがありません。'],
    ],
  ],
  deleteNext: [
    [
      ({ NextOriginGuardToken }) => NextOriginGuardToken !== '',
      ['There is no next token.', '次のトークンがありません。'],
    ],
  ],
  enableAuto: [[(site) => autoStateOf(site) === 'off', ['It is on already.', '既に有効です。']]],
  disableAuto: [[(site) => autoStateOf(site) !== 'off', ['It is not on.', '有効ではありません。']]],
})
