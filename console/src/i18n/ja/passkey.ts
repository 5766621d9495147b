import type { passkey as english } from '../en/passkey.ts'
import type { Translation } from '../messages.ts'

/** Passkeys, in Japanese. */
export const passkey: Translation<typeof english> = {
  'passkey.use': 'パスキーを使う',
  'passkey.dismissed': 'パスキーは使われませんでした。もう一度試すか、別の方法を使ってください。',
  'passkey.unsupported': 'このブラウザーはパスキーに対応していません。',
  'passkey.known': 'このデバイスまたはパスワードマネージャーには、このアカウントのパスキーがすでにあります。',
  'passkey.title': 'パスキー',
  'passkey.text':
    'パスキーは、スマートフォン、パソコン、パスワードマネージャー、またはセキュリティキーに保存されます。このサービスのアドレスでのみ使えます。',
  'passkey.add': 'パスキーを追加',
  'passkey.name': 'パスキーの名前',
  'passkey.example': '仕事用ノートパソコン',
  'passkey.confirm': '続ける',
  'passkey.added': 'パスキーを追加しました',
  'passkey.since': '追加：{time}',
  'passkey.used': '追加：{time}、最終使用：{used}',
  'passkey.elsewhere': '{host} 専用',
  'passkey.rename': '名前を変更',
  'passkey.renameOf': 'パスキー「{name}」の名前を変更',
  'passkey.remove': '削除',
  'passkey.removeOf': 'パスキー「{name}」を削除',
  'passkey.removeAsk': 'パスキー「{name}」を削除しますか？',
  'passkey.removeText':
    '今後は使えなくなります。デバイスまたはパスワードマネージャーからも削除してください。',
  'passkey.removed': 'パスキーを削除しました',
  'passkey.unavailable':
    'パスキーには、ホスト名での https または localhost が必要です。サービスの公開 URL は運用者が設定します。',
  'passkey.otherOrigin':
    'パスキーは {origin} でのみ使えます。追加や使用は、そこでコンソールを開いて行ってください。',
}
