import { expect, test } from 'vitest'
import { parseClientMetadata, redirectHostOf } from './oauth-clients.ts'

const isTaken = (redirect_uris: readonly string[]): boolean =>
  !('error' in parseClientMetadata({ redirect_uris }))

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'http://localhost:6274/oauth/callback',
  'http://127.0.0.1/',
  'http://[::1]:4711/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/Zm9v',
  'windsurf://MermaidChart.vscode-mermaid-chart',
  'com.example.program:/oauth2redirect',
  'com.example.program://callback',
])('tokens may go to %s', (uri) => {
  expect(isTaken([uri])).toBe(true)
})

test.each([
  'http://example.org/callback',
  'http://127.0.0.1.example.org/callback',
  'javascript:alert(1)',
  'javascript://example.org/%0aalert(1)',
  'JavaScript://example.org/%0aalert(1)',
  '\tjavascript://example.org/%0aalert(1)',
  'java\nscript://example.org/%0aalert(1)',
  'data:text/html,x',
  'data://text/html,x',
  'file:///etc/passwd',
  'file://example.org/share',
  'vbscript://example.org/x',
  'blob:https://example.org/x',
  'view-source://example.org/x',
  'about:blank',
  'ftp://example.org/callback',
  'ws://example.org/callback',
  'smb://example.org/share',
  'intent://example.org/callback',
  'ms-settings://network',
  'ms-msdt:/id',
  'x-apple-helpbasic://example.org',
  'mailto:eve@example.org',
  'cursor:callback',
  'cursor:///callback',
  'cursor://eve@anysphere.cursor-mcp/oauth/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback#x',
  'cursor://anysphere.cursor-mcp/oauth/call back',
  'com.example.program:callback',
  '/callback',
  '',
])('tokens may not go to %j', (uri) => {
  expect(isTaken([uri])).toBe(false)
  expect(isTaken(['https://example.org/callback', uri])).toBe(false)
})

test.each([
  ['https://example.org:8443/callback', 'example.org:8443'],
  ['http://127.0.0.1:9/callback', '127.0.0.1:9'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://anysphere.cursor-mcp'],
  ['com.example.program:/oauth2redirect', 'com.example.program:'],
])('a member who consents is told where %s leads', (uri, host) => {
  expect(redirectHostOf(uri)).toBe(host)
})
