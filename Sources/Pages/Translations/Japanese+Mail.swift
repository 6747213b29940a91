extension Translations {
    static let japaneseMail: [String: String] = [
        "Confirm your e-mail address for {site}":
            "{site} のメールアドレスを確認してください",
        "Someone created an account at {site} with this address. If it was you, confirm the address.":
            "このアドレスで {site} のアカウントが作成されました。ご本人の場合は、アドレスを確認してください。",
        "If it was not you, open the link and say so there, or ignore this mail.":
            "お心当たりがない場合は、リンクを開いてその旨を選ぶか、このメールを無視してください。",
        "Reset your password for {site}":
            "{site} のパスワードを再設定してください",
        "Someone asked to reset the password of your account at {site}. If it was you, choose a new password.":
            "{site} のアカウントのパスワード再設定が請求されました。ご本人の場合は、新しいパスワードを選んでください。",
        "If it was not you, ignore this mail. Your password stays as it is.":
            "お心当たりがない場合は、このメールを無視してください。パスワードは変わりません。",
        "Confirm your new e-mail address for {site}":
            "{site} の新しいメールアドレスを確認してください",
        "Someone asked to use this address for an account at {site}. If it was you, confirm the address.":
            "{site} のアカウントにこのアドレスを使うことが請求されました。ご本人の場合は、アドレスを確認してください。",
        "If it was not you, ignore this mail. The account keeps its address.":
            "お心当たりがない場合は、このメールを無視してください。アカウントのアドレスは変わりません。",
        "Your e-mail address at {site} was changed":
            "{site} のメールアドレスが変更されました",
        "Your account at {site} now has the address {new}. Mails about it no longer go to this address.":
            "{site} のアカウントのアドレスは {new} になりました。今後、アカウントに関するメールはこのアドレスに届きません。",
        "If it was not you, check the ways to sign in of your account, and tell the site's administrator.":
            "お心当たりがない場合は、アカウントのサインイン方法を確かめ、サイトの管理者に知らせてください。",
        "Your password for {site} was changed":
            "{site} のパスワードが変更されました",
        "The password of your account at {site} was changed. Your other sessions have ended.":
            "{site} のアカウントのパスワードが変更されました。ほかのセッションは終了しました。",
        "If it was not you, reset your password now. Then check the ways to sign in of your account.":
            "お心当たりがない場合は、今すぐパスワードを再設定し、アカウントのサインイン方法を確かめてください。",
        "A way to sign in was added to your account at {site}":
            "{site} のアカウントにサインイン方法が追加されました",
        "You can now sign in to your account at {site} with {provider}.":
            "{site} のアカウントに {provider} でサインインできるようになりました。",
        "If it was not you, remove it from your account now.":
            "お心当たりがない場合は、今すぐアカウントから解除してください。",
        "You already have an account at {site}":
            "{site} のアカウントはすでにあります",
        "Someone tried to create an account at {site} with this address. It already has one, so you can sign in as usual.":
            "このアドレスで {site} のアカウントを作成しようとした人がいます。アカウントはすでにあるため、いつもどおりサインインできます。",
        "If you forgot your password, you can reset it there. If it was not you, ignore this mail.":
            "パスワードを忘れた場合は、そこで再設定できます。お心当たりがない場合は、このメールを無視してください。",
        "The link works once, within {minutes} minutes.":
            "リンクは {minutes} 分以内に 1 回だけ使えます。",
        "This mail was sent to {email} because of an action at {site}.":
            "このメールは、{site} での操作により {email} に送信されました。",
        "{code} is your code for {site}. It works for 5 minutes. Do not give it to anybody.":
            "{site} のコードは {code} です。5 分間有効です。誰にも教えないでください。",
    ]
}
