/** The fields of a site's settings; those that a choice makes needless go away. */
import { Check, Field, Select } from '../../ui/field.tsx'
import type { FormProblems, SiteForm } from './site-form.ts'
import { siteText } from './texts.ts'

export interface SiteFieldsProps {
  readonly form: SiteForm
  readonly problems: FormProblems
  /** Whether there is a secret that stays when none is given. */
  readonly hasSecret: boolean
  readonly onChange: (changes: Partial<SiteForm>) => void
}

export function SiteFields(props: SiteFieldsProps) {
  const { form, problems, onChange } = props
  return (
    <>
      <Field
        label={siteText('name')}
        value={form.name}
        onInput={(name) => onChange({ name })}
        isRequired
      />
      <OriginFields {...props} />
      <div class="fields">
        <Select
          label={siteText('requestProtocol')}
          value={form.requestProtocol}
          onChange={(requestProtocol) => onChange({ requestProtocol })}
          options={[
            ['0', siteText('request0')],
            ['1', siteText('request1')],
            ['2', siteText('request2')],
          ]}
        />
        <Field
          label={siteText('ttl')}
          value={form.ttl}
          onInput={(ttl) => onChange({ ttl })}
          hint={siteText('ttlHint')}
          error={problems.ttl}
        />
        <Select
          label={siteText('normalize')}
          value={form.normalize}
          onChange={(normalize) => onChange({ normalize })}
          options={[
            ['1', siteText('normalize1')],
            ['3', siteText('normalize3')],
          ]}
        />
      </div>
      <Check
        label={siteText('vary')}
        isChecked={form.vary}
        onChange={(vary) => onChange({ vary })}
      />
      <CorsFields {...props} />
      <Field
        label={siteText('onetime')}
        value={form.onetimeSecrets}
        onInput={(onetimeSecrets) => onChange({ onetimeSecrets })}
        rows={2}
        hint={siteText('onetimeHint')}
        error={problems.onetime}
        isMono
      />
    </>
  )
}

function OriginFields(props: SiteFieldsProps) {
  const { form, onChange } = props
  const isBucket = form.originType === '1'
  return (
    <>
      <div class="fields">
        <Select
          label={siteText('originType')}
          value={form.originType}
          onChange={(originType) => onChange({ originType })}
          options={[
            ['0', siteText('webServer')],
            ['1', siteText('bucket')],
          ]}
        />
        <Select
          label={siteText('originProtocol')}
          value={isBucket ? 'https' : form.originProtocol}
          onChange={(originProtocol) => onChange({ originProtocol })}
          options={
            isBucket
              ? [['https', 'https']]
              : [
                  ['https', 'https'],
                  ['http', 'http'],
                ]
          }
          {...(isBucket && { hint: siteText('httpsOnly') })}
        />
      </div>
      {isBucket ? <BucketFields {...props} /> : <ServerFields {...props} />}
    </>
  )
}

function ServerFields({ form, problems, onChange }: SiteFieldsProps) {
  return (
    <div class="fields">
      <Field
        label={siteText('originHost')}
        value={form.origin}
        onInput={(origin) => onChange({ origin })}
        error={form.origin === '' ? undefined : problems.origin}
        placeholder="origin.example.jp"
        isRequired
      />
      <Field
        label={siteText('hostHeader')}
        value={form.hostHeader}
        onInput={(hostHeader) => onChange({ hostHeader })}
        hint={siteText('hostHeaderHint')}
      />
    </div>
  )
}

function BucketFields({ form, problems, hasSecret, onChange }: SiteFieldsProps) {
  const text = (key: 'bucket' | 'endpoint' | 'region' | 'accessKeyId', label: string) => (
    <Field
      label={label}
      value={form[key]}
      onInput={(value) => onChange({ [key]: value })}
      isRequired
    />
  )
  return (
    <>
      <div class="fields">
        {text('bucket', siteText('bucketName'))}
        {text('endpoint', siteText('endpoint'))}
        {text('region', siteText('region'))}
        {text('accessKeyId', siteText('accessKey'))}
        <Field
          label={siteText('secretKey')}
          type="password"
          value={form.secret}
          onInput={(secret) => onChange({ secret })}
          {...(hasSecret && { hint: siteText('secretKept') })}
        />
      </div>
      {problems.storage !== undefined && <p class="note">{problems.storage}</p>}
      <Check
        label={siteText('docIndex')}
        isChecked={form.docIndex}
        onChange={(docIndex) => onChange({ docIndex })}
      />
    </>
  )
}

function CorsFields({ form, problems, onChange }: SiteFieldsProps) {
  return (
    <>
      <Select
        label={siteText('cors')}
        value={form.cors}
        onChange={(cors) => onChange({ cors })}
        options={[
          ['none', siteText('corsNone')],
          ['any', siteText('corsAny')],
          ['some', siteText('corsSome')],
        ]}
      />
      {form.cors === 'some' && (
        <Field
          label={siteText('corsOrigins')}
          value={form.corsOrigins}
          onInput={(corsOrigins) => onChange({ corsOrigins })}
          rows={4}
          hint={siteText('corsHint')}
          error={form.corsOrigins === '' ? undefined : problems.cors}
          isMono
        />
      )}
    </>
  )
}
