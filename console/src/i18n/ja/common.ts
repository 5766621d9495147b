import type { common as english } from '../en/common.ts'
import type { Translation } from '../messages.ts'

/** Words that many pages use, in Japanese. */
export const common: Translation<typeof english> = {
  'common.add': '追加',
  'common.apply': '適用',
  'common.back': '戻る',
  'common.brokenLink': 'このリンクの一部を読み取れませんでした。それを除いたページを表示しています。',
  'common.cancel': 'キャンセル',
  'common.changedMeanwhile': 'その間にほかのユーザーが変更しました。置き換えるにはもう一度保存します。',
  'common.close': '閉じる',
  'common.closeUnsaved': '変更は保存されていません。閉じますか？',
  'common.copy': 'コピー',
  'common.copyLink': 'リンクをコピー',
  'common.copied': 'コピーしました',
  'common.create': '作成',
  'common.delete': '削除',
  'common.edit': '編集',
  'common.error': '読み込めませんでした',
  'common.leaveUnsaved': '変更は保存されていません。このページを離れますか？',
  'common.loading': '読み込み中',
  'common.moreActions': 'その他の操作',
  'common.name': '名前',
  'common.next': '次へ',
  'common.notSet': '(未設定)',
  'common.remove': '外す',
  'common.retry': '再試行',
  'common.save': '保存',
  'common.search': '検索',
  'common.sendByMail': 'メールで送信…',
  'common.undo': '元に戻す',
}
