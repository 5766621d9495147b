import type { sessions as english } from '../en/sessions.ts'
import type { Translation } from '../messages.ts'

/** The Japanese messages of sessions. */
export const sessions: Translation<typeof english> = {
  'sessions.started': '開始',
  'sessions.duration': '時間',
  'sessions.bounced': '直帰',
  'sessions.session': 'セッション',
  'sessions.failed': 'セッションを読み込めませんでした',
  'sessions.oneFailed': 'セッションを読み込めませんでした',
  'sessions.emptyTitle': 'セッションはありません',
  'sessions.emptyPeriod':
    'この期間に始まったセッションはありません。サーバーから送られるイベントには、通常セッションがありません。',
  'sessions.emptyFiltered': 'この期間にフィルターに一致するセッションはありません。',
  'sessions.notFound': 'このセッションは存在しません',
  'sessions.notFoundText': 'イベントが削除されたか、リンクが不完全な可能性があります。',
  'sessions.next': '次のセッション',
  'sessions.previous': '前のセッション',
  'sessions.facts': 'このセッションについて',
  'sessions.showLater': '以降のイベントを表示',
}
