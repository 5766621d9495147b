import type { assistants as english } from '../en/assistants.ts'
import type { Translation } from '../messages.ts'

/** Assistants that act for an account, in Japanese. */
export const assistants: Translation<typeof english> = {
  'assistants.title': '{name} を接続しますか？',
  'assistants.asks':
    '{name} があなたの代わりに Millrace を使おうとしています。この名前は相手が自分で付けたものです。',
  'assistants.account': 'アカウント',
  'assistants.goesTo': 'アクセス権の送り先',
  'assistants.goesToMachine': '{host}（このコンピューターのプログラム）',
  'assistants.project': 'プロジェクト',
  'assistants.choose': 'プロジェクトを選択',
  'assistants.projectHint': '使えるのはこのプロジェクトだけです。',
  'assistants.noProject': 'このアカウントには使えるプロジェクトがありません。',
  'assistants.scope': 'アクセス',
  'assistants.readOnly': '人のデータを含むプロジェクトのデータを読み取り、何も変更しません。',
  'assistants.rights':
    'その時点のあなたより多くの権限を持つことはありません。設定の「アカウント」で切断できます。',
  'assistants.trust': '自分で始めたものだけを接続してください。',
  'assistants.connect': '接続',
  'assistants.refuse': '接続しない',
  'assistants.over': 'このリクエストは期限切れか、すでに回答済みです。アシスタントからやり直してください。',
  'assistants.answered': '{name} に戻ってください。このページは閉じてかまいません。',
  'assistants.other': '別のアカウントを使う',
  'assistants.list': '接続済みのアシスタント',
  'assistants.listText':
    'アドレス {url} で接続したアシスタントです。1 つのプロジェクトであなたの代わりに動作し、その時点のあなたより多くの権限を持つことはありません。',
  'assistants.none': '接続済みのアシスタントはありません。',
  'assistants.ends': '未使用時の終了',
  'assistants.disconnect': '切断',
  'assistants.disconnectNamed': '{name} を切断',
  'assistants.disconnectAsk': '{name} を切断しますか？',
  'assistants.disconnectText': '数秒で拒否されます。再び使うには、もう一度接続してください。',
}
