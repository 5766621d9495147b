import type { signIn as english } from '../en/sign-in.ts'
import type { Translation } from '../messages.ts'

/** The sign-in page, in Japanese. */
export const signIn: Translation<typeof english> = {
  'signIn.title': 'Millrace にサインイン',
  'signIn.ended': 'セッションが終了しました。サインインするとこのページに戻ります。',
  'signIn.email': 'メール',
  'signIn.password': 'パスワード',
  'signIn.continue': '続ける',
  'signIn.sendLink': 'リンクを送信',
  'signIn.byLink': 'メールのリンクでサインイン',
  'signIn.byPassword': 'パスワードでサインイン',
  'signIn.google': 'Google でサインイン',
  'signIn.provider': '{name} でサインイン',
  'signIn.googleStorage':
    'Google から戻るために必要なこのページのストレージを、ブラウザーがブロックしています。',
  'signIn.googleOther': 'この Google の応答は別のタブのものです。最初からやり直してください。',
  'signIn.googleRefused': 'Google でサインインできませんでした：{reason}',
  'signIn.or': 'または',
  'signIn.anotherWay': '別の方法でサインイン',
  'signIn.linkText': 'このリンクでサインインします。',
  'signIn.linkSent': '受信箱を確認してください',
  'signIn.linkSentText':
    '{email} にアカウントか招待があれば、リンクを送りました。15 分以内に一度だけ使えます。メールサーバーのないサービスでは、リンクはログにあります。',
  'signIn.wrongPassword': 'メールかパスワードが正しくありません。',
  'signIn.factorText': '認証アプリに表示されているコードを入力してください。',
  'signIn.factorCode': 'コード',
  'signIn.passkeyText': 'アカウントのパスキーで確認してください。',
  'signIn.recoveryText': 'リカバリーコードを 1 つ入力してください。各コードは一度だけ使えます。',
  'signIn.recoveryCode': 'リカバリーコード',
  'signIn.useRecovery': 'リカバリーコードを使う',
  'signIn.useApp': '認証アプリを使う',
  'signIn.lostFactor': 'いずれもない場合は、組織の管理者が二要素認証をリセットできます。',
  'signIn.tooMany': '試行回数が多すぎます。少し待ってからもう一度お試しください。',
  'signIn.unreachable': 'サービスに接続できません。接続を確認してもう一度お試しください。',
  'signIn.badLink': 'リンクは使用済みか期限切れです。新しいリンクを取得してください。',
  'signIn.joinTitle': '組織に参加',
  'signIn.joinText': 'すでにアカウントがあります。参加するにはサインインしてください。',
  'signIn.joinOther':
    '{email} としてサインインしています。招待は別のアドレス宛てか、リンクが使用済みまたは期限切れです。',
  'signIn.joinSwitch': '別のアカウントを使う',
  'signIn.joinLeave': '参加せずに続ける',
  'signIn.joinOver': 'この招待は期限切れか、取り消し済みか、承諾済みです。管理者が新しい招待を送れます。',
  'signIn.joined': '{name} に参加しました',
  'signIn.passwordRemoved':
    '招待した管理者が設定した可能性があるため、パスワードを削除しました。設定で新しいパスワードを設定してください。',
}
