import type { failures as english } from '../en/failures.ts'
import type { Translation } from '../messages.ts'

/** Failures that the service names by a reason, in Japanese. */
export const failures: Translation<typeof english> = {
  'failures.unexpected': 'サービスで問題が発生しました。原因はリクエスト ID とともにログに記録されています。',
  'failures.canceled': 'リクエストは取り消されました。もう一度お試しください。',
  'failures.tookTooLong': 'リクエストに時間がかかりすぎました。もう一度お試しください。',
  'failures.queryTooLong':
    'クエリに時間がかかりすぎました。期間を短くするか、フィルターで絞り込んでください。',
  'failures.queryTooLarge':
    'クエリの読み取り量が多すぎます。期間を短くするか、フィルターで絞り込んでください。',
  'failures.noQueries': 'サービスは現在クエリに応答できません。1 分後にもう一度お試しください。',
  'failures.noStore': 'サービスは現在データに接続できません。1 分後にもう一度お試しください。',
  'failures.overloaded': 'サービスが混み合っています。1 分後にもう一度お試しください。',
  'failures.tooMany': '短時間の試行が多すぎます。しばらくしてからもう一度お試しください。',
  'failures.tooLarge': '大きすぎるため送信できません。',
  'failures.signedOut': 'セッションまたはリンクの有効期限が切れています。もう一度サインインしてください。',
  'failures.wrongPassword': 'メールアドレスまたはパスワードが正しくありません。',
  'failures.signInAgain':
    '現在のパスワードを入力するか、メールのリンクでサインインして 10 分以内にパスワードを設定してください。',
  'failures.noAccount': 'このアドレスのアカウントはありません。組織の管理者が招待できます。',
  'failures.noSignIn': 'このサービスではこのサインイン方法を利用できません。',
  'failures.noProvider':
    'サインインプロバイダーに接続できないか、このサービスが拒否されました。もう一度試すか、運用者に問い合わせてください。',
  'failures.ssoRequired':
    'このドメインのアドレスは、会社のプロバイダーでのみサインインできます。そのボタンを使ってください。',
  'failures.otherAttempt':
    'このサインインは別のブラウザーで始められたか、すでに完了したか、10 分を超えました。最初からやり直してください。',
  'failures.usedCode': 'このサインインはすでに使われたか、期限が切れています。最初からやり直してください。',
  'failures.providerRefused':
    'プロバイダーでサインインできませんでした。最初からやり直すか、別の方法でサインインしてください。',
  'failures.badResponse':
    'プロバイダーの応答はこのサービスでは無効です。最初からやり直してください。再び起きる場合は運用者に知らせてください。',
  'failures.wrongClock':
    'プロバイダーの応答は期限切れか、未来の時刻になっています。時計がずれています。運用者に知らせてください。',
  'failures.unverifiedEmail':
    'プロバイダーがあなたのメールアドレスを確認していません。プロバイダーで確認してから、もう一度サインインしてください。',
  'failures.notConnected':
    'あなたのアドレスのアカウントはありますが、このプロバイダーに接続されていません。これまでの方法でサインインし、アカウントの設定でプロバイダーを接続してください。',
  'failures.identityChanged':
    'あなたのアドレスのアカウントは、このプロバイダーの別のユーザーに接続されています。別の方法でサインインして接続を解除するか、運用者に問い合わせてください。',
  'failures.identityUsed':
    'プロバイダーのこのユーザーは別のアカウントに接続されています。先にそちらで接続を解除してください。',
  'failures.identityGone': 'このプロバイダーはもう接続されていません。',
  'failures.sessionGone': 'このセッションはすでに終了しています。',
  'failures.organisationGone': 'この組織はもうありません。',
  'failures.noMember': 'あなたはこの組織のメンバーではありません。',
  'failures.projectClosed':
    'このプロジェクトにはアクセスできません。プロジェクトの管理者に役割を依頼してください。',
  'failures.adminEverywhere':
    '組織の管理者は、すべてのプロジェクトの管理者です。先に組織での役割を変更してください。',
  'failures.notAGuest':
    'この人はプロジェクトでの役割によって、すでにすべてのダッシュボードを閲覧できます。共有できる相手はゲストだけです。',
  'failures.needsAdmin': 'この操作は管理者だけが行えます。',
  'failures.needsRole': 'あなたのロールではこの操作を行えません。ロールは管理者が変更できます。',
  'failures.alreadyMember': 'このアドレスはすでにメンバーのものです。',
  'failures.memberGone': 'この人はもうメンバーではありません。',
  'failures.lastAdmin': '組織には管理者が必要です。先に別のメンバーを管理者にしてください。',
  'failures.lastMember': '最後のメンバーは組織から退出できません。',
  'failures.noInvitation': 'この招待は別のアドレス宛てか、使用済みか、有効期限切れです。',
  'failures.invitationOver':
    'この招待は有効期限切れか、取り消し済みか、承諾済みです。管理者が新しい招待を送れます。',
  'failures.invitedAccount':
    '招待されたアドレスにはアカウントがあります。そのアカウントでサインインしてから、もう一度リンクを開いてください。',
  'failures.projectGone': 'このプロジェクトはもうありません。',
  'failures.retentionMore': '確認した数より多くのイベントが削除されます。もう一度お試しください。',
  'failures.projectTaken': 'この組織には同じ名前のプロジェクトがすでにあります。',
  'failures.keyGone': 'このキーはもうありません。',
  'failures.limit': 'これ以上追加できません。先にいくつか削除してください。',
  'failures.mailGone': 'この組織にはメールプロバイダーがありません。',
  'failures.factorRequired': '二要素認証が必要です。設定のアカウントで設定してください。',
  'failures.factorProof': 'まず二要素認証で確認してください。',
  'failures.factorCode': 'コードが正しくないか、使用済みです。最新のコードを入力してください。',
  'failures.passkeyInvalid':
    'パスキーを確認できませんでした。要求が期限切れか使用済み、または別のアカウントのものです。もう一度お試しください。',
  'failures.passkeyCopied':
    'このパスキーのカウンターが戻っているため、複製されている可能性があります。別の方法で確認し、このパスキーを削除してください。',
  'failures.passkeyInUse': 'このパスキーは追加済みです。',
  'failures.passkeyGone': 'このパスキーはすでにありません。',
  'failures.noPasskeys':
    'パスキーには https または localhost が必要です。サービスの公開 URL は運用者が設定します。',
  'failures.noFactor': 'アカウントに二要素認証が設定されていません。',
  'failures.otherOrganisations':
    'このメンバーは、あなたが管理していない組織にも所属しています。サービスの運用者に問い合わせてください。',
  'failures.dashboardGone': 'このダッシュボードはもうありません。',
  'failures.goalGone': 'この目標はもうありません。',
  'failures.cohortGone': 'このコホートはもうありません。',
  'failures.savedInsightGone': 'この保存したインサイトはもうありません。',
  'failures.versionGone': 'このバージョンはもう保存されていません。',
  'failures.annotationGone': 'この注釈はもうありません。',
  'failures.nameGone': 'この名前はもうデータ辞書にありません。',
  'failures.channelGone': 'このチャンネルはもうありません。',
  'failures.alertGone': 'このアラートはもうありません。',
  'failures.reportGone': 'このレポートはもうありません。',
  'failures.personGone': 'このユーザーはもう存在しません。',
  'failures.visitGone': 'このセッションにはもうイベントがありません。',
  'failures.needsPassword': 'このダッシュボードにはパスワードが必要です。',
  'failures.campaignGone': 'このキャンペーンはもうありません。',
  'failures.campaignSent': '送信が始まっています。変更できるのは予約済みのキャンペーンだけです。',
  'failures.cohortUsed': 'このコホートは使用中です。先に使用箇所から外してください。',
  'failures.cohortCycle': 'コホートに自分自身を含めることはできません。',
  'failures.fieldEmpty': '入力してください。',
  'failures.fieldNotification': 'タイトル、本文、アプリ用データのいずれかを入力してください。',
  'failures.fieldEmail': 'メールアドレスではありません。',
  'failures.fieldUrl': 'https:// または http:// で始まり、ユーザー名を含まない URL を入力してください。',
  'failures.fieldZone': 'タイムゾーンではありません。',
  'failures.fieldPast': '過去の時刻です。',
  'failures.fieldCharacter': '保存できない文字が含まれています。',
  'failures.fieldLong': { other: '{count} 文字以内で入力してください。' },
  'failures.fieldShort': { other: '{count} 文字以上で入力してください。' },
  'failures.fieldNumber': '数値ではありません。',
  'failures.fieldPassword': 'このアカウントのパスワードではありません。',
  'failures.noPictures': 'このブラウザーでは画像を作成できません。',
  'failures.pictureLarge': '画像が大きすぎます。',
}
