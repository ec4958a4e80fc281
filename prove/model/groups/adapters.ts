/** What a project has besides SIMs: service adapters and files. */
import { type Body, type Command, type Context, type Maker, maker, type Slots } from '../command.ts'
import { type Adapter, identify, provisional } from '../state.ts'
import { onProject } from './projects.ts'

const SERVICES = '/iotplatform/vmgw/services'
const DOWNLOAD_MS = 600_000
const FILES = ['config.json', 'config.json', 'config.json', 'a', '_hidden']

function create(context: Context): Command {
  const { choices, slots, step } = context
  // A webhook out of the cloud needs an address that begins with http.
  const [type, settings] = choices.pick([
    ['websocket', {}],
    ['incoming-webhook', {}],
    ['incoming-webhook', {}],
    ['incoming-webhook', { secret: 'abc123' }],
    ['incoming-webhook', { secret: 'not this one' }],
    ['outgoing-webhook', { url: 'ftp://example.jp/' }],
  ] as const)
  const isBad = 'url' in settings || ('secret' in settings && settings.secret.includes(' '))
  const name = `adapter-${step}`
  const key = provisional(name)
  return onProject(context, {
    ...{ name: 'adapterCreate', method: 'POST', path: SERVICES, isBad },
    body: { IoTPlatform: { type, name, settings: { [type]: settings } } },
    on(project) {
      const adapter: Adapter = { name, type, isSigned: 'secret' in settings, path: undefined }
      project.adapters.set(key, adapter)
      return {
        status: 201,
        shows: { IoTPlatform: { name, type } },
        learn({ IoTPlatform }) {
          identify(project.adapters, key, IoTPlatform.id)
          adapter.path = new URL(IoTPlatform.url).pathname
        },
      }
    },
    keep: ({ IoTPlatform }, id) => keepAdapter(slots, id, IoTPlatform),
  })
}

function keepAdapter(slots: Slots, project: string, { id, type, url }: Body): void {
  slots.set('adapter', id)
  if (type === 'incoming-webhook') slots.set(`incoming:${project}`, new URL(url).pathname)
}

const remove = (context: Context) => {
  const id = context.slots.get('adapter')
  return onProject(context, {
    ...{ name: 'adapterDelete', method: 'DELETE', path: `${SERVICES}/${id}` },
    on(project) {
      if (!project.adapters.delete(id)) return { status: 404 }
      return { status: 200, shows: { IoTPlatform: { service_id: id } } }
    },
  })
}

const list = (context: Context) =>
  onProject(context, {
    ...{ name: 'adapterList', method: 'GET', path: SERVICES, level: 'view' },
    on({ adapters }) {
      const expected = new Map([...adapters.values()].map(({ name, type }) => [name, type]))
      return {
        status: 200,
        shows: {
          IoTPlatform: (shown: { name: string; type: string }[]) =>
            shown.length === expected.size &&
            shown.every(({ name, type }) => expected.get(name) === type),
        },
        learn({ IoTPlatform }) {
          for (const { id, name, url } of IoTPlatform) {
            identify(adapters, provisional(name), id)
            const adapter = adapters.get(id)
            if (adapter !== undefined) adapter.path = new URL(url).pathname
          }
        },
      }
    },
    keep({ IoTPlatform }, id) {
      for (const one of IoTPlatform) keepAdapter(context.slots, id, one)
    },
  })

function stat(context: Context): Command {
  const file = context.choices.pick(FILES)
  return onProject(context, {
    ...{ name: 'fileStat', method: 'PUT', path: `/iotplatform/vmgw/files/${file}/stat` },
    isBad: file.startsWith('_'),
    on({ files }) {
      const { size, type } = files.get(file) ?? { size: 0, type: '' }
      files.set(file, { size, type })
      return { status: 200, shows: { IoTPlatform: { name: file, size, mime_type: type } } }
    },
  })
}

function requestUpload(context: Context): Command {
  const file = context.choices.pick(FILES)
  return onProject(context, {
    ...{ name: 'fileUploadRequest', method: 'PUT', isBad: file.startsWith('_') },
    path: `/iotplatform/vmgw/files/${file}/upload_request`,
    on({ files }, model, id) {
      if (!files.has(file)) return { status: 404 }
      return {
        status: 200,
        learn({ IoTPlatform }) {
          const expiresAt = model.now + 3_600_000
          model.uploads.set(IoTPlatform.token, { project: id, file, expiresAt })
        },
      }
    },
    keep({ IoTPlatform }) {
      context.slots.set('upload', `${IoTPlatform.token} ${new URL(IoTPlatform.url).pathname}`)
    },
  })
}

/** Without credentials: the token is enough, once. */
function upload({ choices, slots }: Context): Command {
  const [token = '', path = '/v1/projects/900000000000/files/a/upload/'] = slots
    .get('upload')
    .split(' ')
  const size = choices.below(2000)
  const part = 'Content-Disposition: form-data; name="attachment"; filename="f"'
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=b',
  }
  const body = `--b\r\n${part}\r\nContent-Type: text/x-model\r\n\r\n${'x'.repeat(size)}\r\n--b--\r\n`
  return {
    name: 'fileContentPut',
    request: { method: 'PUT', path, headers, body },
    play(model) {
      const found = model.uploads.get(token)
      const file = model.projects.get(found?.project ?? '')?.files
      if (found === undefined || file === undefined || found.expiresAt <= model.now) {
        return { status: 401 }
      }
      model.uploads.delete(token)
      file.set(found.file, { size, type: 'text/x-model' })
      return { status: 202, shows: { name: found.file, size } }
    },
  }
}

function download(context: Context): Command {
  const file = context.choices.pick(FILES)
  return onProject(context, {
    ...{ name: 'fileDownload', method: 'GET', isBad: file.startsWith('_'), level: 'view' },
    path: `/iotplatform/vmgw/files/${file}/download`,
    on({ files }, model, id) {
      const found = files.get(file)
      if (found === undefined || found.type === '') return { status: 404 }
      return {
        status: 200,
        shows: { IoTPlatform: { name: file, size: found.size } },
        learn({ IoTPlatform }) {
          const expiresAt = model.now + DOWNLOAD_MS
          model.downloads.set(pathOf(IoTPlatform.url), { project: id, file, expiresAt })
        },
      }
    },
    keep: ({ IoTPlatform }) => context.slots.set('download', pathOf(IoTPlatform.url)),
  })
}

const pathOf = (url: string) => new URL(url).pathname

/** Without credentials: the address is enough, while it is valid. It shows the content of that time, not of its own. */
function read({ slots }: Context): Command {
  const known = slots.get('download')
  const path = known.startsWith('/') ? known : '/v1/downloads/none'
  return {
    name: 'fileContentGet',
    request: { method: 'GET', path, headers: {}, body: undefined },
    play(model) {
      const found = model.downloads.get(path)
      if (found === undefined) return { status: 401 }
      if (found.expiresAt <= model.now) return { status: 403 }
      const file = model.projects.get(found.project)?.files.get(found.file)
      if (file === undefined) return { status: 404 }
      const isContent = (body: Body) => body === 'x'.repeat(file.size)
      return { status: 200, shows: isContent }
    },
  }
}

export const adapterMakers: readonly Maker[] = [
  ...[maker(5, create), maker(1, remove), maker(1, list), maker(3, stat)],
  ...[maker(4, requestUpload), maker(4, upload), maker(4, download), maker(3, read)],
]
