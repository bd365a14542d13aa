const BOUNDARY = 'frontier'

export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

/** A form as browsers send it when it might hold a file. */
export function multipart(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value))
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}

export const multipartFile = (name: string, content: string): string =>
  `${part(`name="${name}"; filename="${name}.txt"`, content)}--${BOUNDARY}--\r\n`

const part = (disposition: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
