import { escapeHtml } from '../mail/mail-text.ts'

/** As much of the context of a request as a page needs. */
export interface PageContext {
  type: string
  body: unknown
}

/** What went wrong, in the words of RFC 6749. */
export interface PageError {
  readonly error: string
  readonly error_description?: string | undefined
}

/** A page for errors that cannot be reported to the assistant, because its address is unknown or not to be trusted. */
export function renderErrorPage(
  context: PageContext,
  { error, error_description: text = '' }: PageError,
): void {
  context.type = 'html'
  context.body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The assistant cannot be connected · Millrace</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
code { font-size: 0.875rem; opacity: 0.7; }
</style></head>
<body><main><h1>The assistant cannot be connected</h1>
<p>${escapeHtml(text === '' ? 'The request is not valid; connect the assistant again.' : text)}</p>
<p><code>${escapeHtml(error)}</code></p></main></body></html>
`
}
