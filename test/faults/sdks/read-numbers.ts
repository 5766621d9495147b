import { gunzipSync } from 'node:zlib'

const NUMBER = /"number":(\d+)/g

/** The numbers of the events in a request of any SDK, read without the decoders of the service. */
export function readNumbers(url: string, body: Buffer): readonly number[] {
  const text = body.length > 0 ? readText(body) : readField(url.slice(url.indexOf('?') + 1))
  return [...new Set([...text.matchAll(NUMBER)].map(([, digits]) => Number(digits)))]
}

function readText(body: Buffer): string {
  if (body[0] === 0x1f && body[1] === 0x8b) return gunzipSync(body).toString('utf8')
  const text = body.toString('utf8')
  return text.startsWith('data=') || text.includes('&data=') ? readField(text) : text
}

/** The field `data` of a form or a query: JSON, or base64 whose plus signs may be plain. */
function readField(form: string): string {
  const data = new URLSearchParams(form.replaceAll('+', '%2B')).get('data') ?? ''
  return /^[[{]/.test(data) ? data : Buffer.from(data, 'base64').toString('utf8')
}
