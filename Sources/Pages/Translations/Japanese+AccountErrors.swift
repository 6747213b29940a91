extension Translations {
    static let japaneseAccountErrors: [String: String] = [
        "This link no longer works":
            "このリンクは使えなくなりました",
        "The link from the mail has expired, or it was already used.":
            "メールのリンクは期限切れか、すでに使われています。",
        "Request a new mail and open the link in it.":
            "新しいメールを請求して、そのリンクを開いてください。",
        "Accounts are unavailable":
            "アカウントを利用できません",
        "This site cannot reach its store of accounts.":
            "このサイトはアカウントの保存先に接続できません。",
        "Try again in a minute. If you are signed in, you stay signed in.":
            "1 分ほど待ってからもう一度お試しください。サインイン中の場合、そのまま維持されます。",
        "This address is in use":
            "このアドレスは使われています",
        "The e-mail address at the provider belongs to another account of this site. Nothing was changed.":
            "プロバイダーのメールアドレスは、このサイトの別のアカウントのものです。何も変更されていません。",
        "Sign in to that account, or link an account with another address.":
            "そのアカウントにサインインするか、別のアドレスのアカウントを連携してください。",
        "This address already has an account":
            "このアドレスのアカウントがすでにあります",
        "The address that the provider sent belongs to an account that is not linked to this provider.":
            "プロバイダーから届いたアドレスは、このプロバイダーと連携していないアカウントのものです。",
        "Sign in to that account in one of its ways. You can then use the new one, too.":
            "そのアカウントにいずれかの方法でサインインしてください。その後、新しい方法も使えます。",
        "The e-mail address belongs to another account of this site.":
            "このメールアドレスは、このサイトの別のアカウントのものです。",
        "Sign in to that account, or use another address.":
            "そのアカウントにサインインするか、別のアドレスを使ってください。",
        "This account is disabled":
            "このアカウントは無効です",
        "An administrator disabled this account.":
            "管理者がこのアカウントを無効にしました。",
        "If you think this is a mistake, ask the site's administrator.":
            "間違いだと思われる場合は、このサイトの管理者に問い合わせてください。",
        "There is no account for you yet":
            "あなたのアカウントはまだありません",
        "New accounts are created by the site's administrator only.":
            "新しいアカウントを作成できるのは、このサイトの管理者だけです。",
        "Ask the site's administrator for an account, or sign in to one that you have.":
            "このサイトの管理者にアカウントを申請するか、お持ちのアカウントにサインインしてください。",
        "This provider is already linked":
            "このプロバイダーはすでに連携されています",
        "Your account is already linked to an account at this provider.":
            "アカウントは、すでにこのプロバイダーのアカウントと連携しています。",
        "To link another one, remove the first from your account.":
            "別のものを連携するには、先に現在の連携をアカウントから解除してください。",
        "Already linked to another account":
            "すでに別のアカウントと連携しています",
        "The account at the provider is linked to another account of this site. Nothing was changed.":
            "プロバイダーのアカウントは、このサイトの別のアカウントと連携しています。何も変更されていません。",
        "Sign in to the other account, or link another one.":
            "もう一方のアカウントにサインインするか、別のものを連携してください。",
        "This provider is not linked":
            "このプロバイダーは連携されていません",
        "Your account is not linked to this provider. Perhaps you removed it in another window.":
            "アカウントはこのプロバイダーと連携していません。別のウィンドウで解除した可能性があります。",
        "Look up its ways to sign in on your account page.":
            "アカウントのページでサインイン方法を確かめてください。",
        "Your only way to sign in stays":
            "唯一のサインイン方法は残ります",
        "Without it, you could not sign in again. Nothing was changed.":
            "これがないと、再びサインインできなくなります。何も変更されていません。",
        "Add another way to sign in before you remove this one.":
            "この方法を解除する前に、別のサインイン方法を追加してください。",
        "This is a different account":
            "別のアカウントです",
        "You signed in to another account than the one that you are using. Nothing was changed.":
            "使用中のアカウントとは別のアカウントにサインインしました。何も変更されていません。",
        "Sign in again to the account that you are using.":
            "使用中のアカウントにもう一度サインインしてください。",
        "The sign-in failed":
            "サインインに失敗しました",
        "The e-mail address or the password is wrong, or the passkey was not accepted.":
            "メールアドレスまたはパスワードが違うか、パスキーが受け付けられませんでした。",
        "Check what you entered and try again. If you forgot the password, reset it.":
            "入力した内容を確かめて、もう一度お試しください。パスワードを忘れた場合は再設定してください。",
        "The password is too weak":
            "パスワードが弱すぎます",
        "The password is too short, too long or too common.":
            "パスワードが短すぎるか、長すぎるか、よく使われすぎています。",
        "Go back and choose another password.":
            "前のページに戻り、別のパスワードを選んでください。",
        "Too many attempts":
            "試行回数が多すぎます",
        "There were too many attempts for this address, or from your network.":
            "このアドレスに対する、またはお使いのネットワークからの試行が多すぎます。",
        "Wait some minutes, then try again.":
            "数分待ってから、もう一度お試しください。",
        "Your e-mail address is not confirmed":
            "メールアドレスが確認されていません",
        "This step needs an account with a confirmed e-mail address.":
            "この操作には、メールアドレスを確認済みのアカウントが必要です。",
        "Open the link in the mail that we sent you. You can request a new one on your account page.":
            "お送りしたメールのリンクを開いてください。アカウントのページで新しいメールを請求できます。",
        "There is nothing to link":
            "連携するものがありません",
        "The question has expired, or it was already answered.":
            "確認の期限が切れたか、すでに回答済みです。",
        "To link a provider, sign in with it again, or add it on your account page.":
            "プロバイダーを連携するには、もう一度サインインするか、アカウントページで追加してください。",
    ]
}
