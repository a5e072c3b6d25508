// Bodies of multipart/form-data (RFC 7578).

export type FormField = { name: string; value: string; isFile: boolean }

const maxFields = 200

/** The fields of a body; none where it is not what the type says. */
export function readMultipart(body: string, contentType: string): FormField[] {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return []
  return body
    .split(`--${boundary}`, maxFields + 1)
    .slice(1)
    .flatMap((part): FormField[] => {
      const end = part.indexOf('\r\n\r\n')
      const head = part.slice(0, Math.min(end, 2_000))
      const name = /[;\s]name="([^"\r\n]*)"/i.exec(head)?.[1]
      if (end === -1 || name === undefined) return []
      const value = part.slice(end + 4).replace(/\r\n$/, '')
      return [{ name, value, isFile: /[;\s]filename\*?=/i.test(head) }]
    })
}

/** The body and its type for fields that are texts. */
export function writeMultipart(fields: readonly Pick<FormField, 'name' | 'value'>[]): { type: string; body: string } {
  let boundary = 'perigee-form'
  for (let turn = 1; fields.some(({ value }) => value.includes(boundary)); turn += 1) boundary = `perigee-form-${turn}`
  const parts = fields.map(
    ({ name, value }) => `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`,
  )
  return { type: `multipart/form-data; boundary=${boundary}`, body: `${parts.join('')}--${boundary}--\r\n` }
}

/** As browsers do it (HTML, 4.10.21.8). */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
