/** A form with a file in it, as clients send it. */
const BOUNDARY = 'kumoi-test-boundary'

export function formOf(content: Buffer | string, type?: string) {
  const said = type === undefined ? '' : `\r\nContent-Type: ${type}`
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="attachment"; filename="f"${said}\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ]),
  }
}
