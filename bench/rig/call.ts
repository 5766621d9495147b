/** Calls a method of a service by Connect in JSON. Throws when it is refused. */
export async function call(
  { url }: { readonly url: string },
  method: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'connect-protocol-version': '1', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}
