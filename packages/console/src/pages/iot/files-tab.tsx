/** Files of a project: make, upload with a bar that tells how far, download. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatTime } from '../../format.ts'
import { type Key, levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { itemText } from '../items/texts.ts'
import { FILE_ID, knownFiles, rememberFile } from './files.ts'
import type { Project } from './project.ts'
import { iotText } from './texts.ts'
import { UploadCard } from './upload-card.tsx'

export interface FilesTabProps {
  readonly project: Project
  readonly access: Key | undefined
}

export function FilesTab({ project, access }: FilesTabProps) {
  const [id, setId] = useState('')
  const denied = levelReason(access, 'arrange')
  const files = useQuery((signal) => statAll(project.id, signal), [project.id], {
    when: denied === undefined && access !== undefined,
  })
  const open = useAction(async () => {
    await cloud().orThrow.fileStat({ params: { project_id: project.id, file_id: id } })
    rememberFile(project.id, id)
    files.reload()
  })
  return (
    <>
      <UploadCard projectId={project.id} denied={denied} onDone={files.reload} />
      <Card title={iotText('files')}>
        <p class="note">{iotText('fileNote')}</p>
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (FILE_ID.test(id)) void open.run()
          }}
        >
          <Field
            label={iotText('fileId')}
            value={id}
            onInput={setId}
            hint={iotText('fileIdHint')}
            isMono
          />
          <Button
            type="submit"
            isBusy={open.isBusy}
            reason={denied ?? (FILE_ID.test(id) ? undefined : iotText('fileIdWrong'))}
          >
            {iotText('openFile')}
          </Button>
        </form>
        {open.error !== undefined && <ErrorBox error={open.error} />}
        {denied === undefined && <FileTable files={files} projectId={project.id} />}
      </Card>
    </>
  )
}

type Stat = Awaited<ReturnType<typeof statAll>>[number]

async function statAll(projectId: string, signal: AbortSignal) {
  const calls = knownFiles(projectId).map((file_id) =>
    cloud().orThrow.fileStat({ params: { project_id: projectId, file_id } }, { signal }),
  )
  return (await Promise.all(calls)).map(({ IoTPlatform }) => IoTPlatform)
}

interface FileTableProps {
  readonly files: ReturnType<typeof useQuery<Stat[]>>
  readonly projectId: string
}

function FileTable({ files, projectId }: FileTableProps) {
  const fetchOne = useAction((name: string) => download(projectId, name))
  return (
    <>
      {fetchOne.error !== undefined && <ErrorBox error={fetchOne.error} />}
      <Loaded query={files}>
        {(list) => (
          <Table
            caption={iotText('files')}
            rows={list}
            keyOf={({ name }) => name}
            empty={iotText('noFiles')}
            columns={[
              { key: 'id', title: iotText('fileId'), cell: ({ name }) => <code>{name}</code> },
              { key: 'mime', title: iotText('mime'), cell: ({ mime_type }) => mime_type || '–' },
              {
                key: 'size',
                title: iotText('size'),
                align: 'end',
                cell: ({ size }) => formatBytes(size),
              },
              {
                key: 'updated',
                title: iotText('updated'),
                cell: ({ updated_at }) => formatTime(updated_at),
              },
              {
                key: 'actions',
                title: itemText('actions'),
                cell: ({ name, mime_type }) => (
                  <Button
                    label={`${iotText('download')}: ${name}`}
                    isBusy={fetchOne.isBusy}
                    reason={mime_type === '' ? iotText('nothingInIt') : undefined}
                    onClick={() => void fetchOne.run(name)}
                  >
                    {iotText('download')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  )
}

/** The browser fetches it by the address, which needs no key, so that it goes to disk as it comes. */
async function download(projectId: string, name: string): Promise<void> {
  const params = { project_id: projectId, file_id: name }
  const { IoTPlatform } = await cloud().orThrow.fileDownload({ params })
  const link = document.createElement('a')
  link.href = IoTPlatform.url
  link.download = name
  link.click()
}
