import { RefusalError } from '@kumoi/client'
import { useRef, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { formatBytes } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Card } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { FILE_BYTES_MAX, FILE_ID, idFromName, rememberFile } from './files.ts'
import { iotText } from './texts.ts'

export interface UploadCardProps {
  readonly projectId: string
  readonly denied: string | undefined
  readonly onDone: () => void
}

export function UploadCard({ projectId, denied, onDone }: UploadCardProps) {
  const [file, setFile] = useState<File>()
  const [id, setId] = useState('')
  const [done, setDone] = useState<number>()
  const ending = useRef<AbortController>(undefined)
  const send = useAction(async () => {
    if (file === undefined) return
    ending.current = new AbortController()
    setDone(0)
    try {
      await upload(projectId, id, file, ending.current.signal, setDone)
      rememberFile(projectId, id)
      onDone()
    } finally {
      setDone(undefined)
    }
  }, iotText('uploaded'))
  return (
    <Card title={iotText('upload')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (denied === undefined && problemOf(file, id) === undefined) void send.run()
        }}
      >
        <div class="fields">
          <FileField
            label={iotText('content')}
            onChoose={(chosen) => {
              setFile(chosen)
              if (chosen !== undefined && id === '') setId(idFromName(chosen.name))
            }}
          />
          <Field
            label={iotText('fileId')}
            value={id}
            onInput={setId}
            hint={iotText('fileIdHint')}
            isMono
          />
        </div>
        {done !== undefined && file !== undefined && (
          <Bar file={file} done={done} cancel={() => ending.current?.abort()} />
        )}
        {send.error !== undefined && <ErrorBox error={send.error} />}
        <Button
          kind="primary"
          type="submit"
          isBusy={send.isBusy}
          reason={denied ?? problemOf(file, id)}
        >
          {iotText('upload')}
        </Button>
      </form>
    </Card>
  )
}

function problemOf(file: File | undefined, id: string): string | undefined {
  if (file === undefined) return iotText('chooseContent')
  if (file.size > FILE_BYTES_MAX) return iotText('tooLarge')
  return FILE_ID.test(id) ? undefined : iotText('fileIdWrong')
}

async function upload(
  projectId: string,
  id: string,
  file: File,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<void> {
  const params = { project_id: projectId, file_id: id }
  await cloud().orThrow.fileStat({ params }, { signal })
  const { IoTPlatform } = await cloud().orThrow.fileUploadRequest({ params }, { signal })
  const order = { ...IoTPlatform, file, name: file.name, signal, onProgress }
  const result = await cloud().upload(order)
  if (!result.ok) throw new RefusalError('fileUploadRequest', result.refusal)
}

function Bar({ file, done, cancel }: { file: File; done: number; cancel: () => void }) {
  return (
    <div class="upload-progress">
      <Progress
        label={iotText('uploading', { name: file.name })}
        value={done}
        max={Math.max(1, file.size)}
        text={iotText('progress', {
          ...{ done: formatBytes(done), total: formatBytes(file.size) },
        })}
      />
      <Button onClick={cancel}>{iotText('cancel')}</Button>
    </div>
  )
}
