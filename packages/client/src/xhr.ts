/** The one thing that only the older interface of browsers can do: an upload that tells how far it is. */
import type { UploadOrder } from './upload-order.ts'

export function sendByXhr(order: UploadOrder, field: string): Promise<Response> {
  const { url, token, file, name, signal, onProgress } = order
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('PUT', url)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => {
      // The form around the file counts there; to the caller the file is what matters.
      onProgress?.(Math.max(0, Math.min(file.size, loaded - (total - file.size))), file.size)
    }
    request.onload = () => {
      const type = request.getResponseHeader('content-type') ?? 'text/plain'
      const headers = { 'content-type': type }
      resolve(new Response(request.responseText, { status: request.status, headers }))
    }
    request.onerror = () => reject(new TypeError('The upload did not arrive.'))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    signal?.addEventListener('abort', abort)
    const form = new FormData()
    form.append(field, file, name)
    request.send(form)
  })
}
