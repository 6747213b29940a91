extension Translations {
    static let japaneseAccounts: [String: String] = [
        "Your password was changed. Sign in with the new one.":
            "パスワードを変更しました。新しいパスワードでサインインしてください。",
        "Your e-mail address is confirmed. You can sign in now.":
            "メールアドレスを確認しました。サインインできます。",
        "Your account was deleted.":
            "アカウントを削除しました。",
        "Continue without an account":
            "アカウントなしで続ける",
        "or":
            "または",
        "Go to your account":
            "アカウントへ移動",
        "Your e-mail address is confirmed":
            "メールアドレスを確認しました",
        "Your e-mail address was changed":
            "メールアドレスを変更しました",
        "Your password was changed":
            "パスワードを変更しました",
        "Your account was deleted":
            "アカウントを削除しました",
        "You can use it to sign in, and we can reach you there.":
            "このアドレスでサインインでき、このアドレスに連絡が届きます。",
        "From now on, mails go to the new address. Your other sessions have ended.":
            "今後、メールは新しいアドレスに届きます。ほかのセッションは終了しました。",
        "Your other sessions have ended. Sign in there with the new password.":
            "ほかのセッションは終了しました。そこでは新しいパスワードでサインインしてください。",
        "Its ways to sign in and its sessions were deleted, too. The app may still hold data of its own about you.":
            "サインイン方法とセッションも削除しました。アプリには独自のデータが残っている場合があります。",
        "Delete your account?":
            "アカウントを削除しますか？",
        "The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone.":
            "アカウントと、そのサインイン方法およびすべてのセッションは直ちに削除されます。元に戻すことはできません。",
        "The app may still hold data of its own about you.":
            "アプリには独自のデータが残っている場合があります。",
        "Delete the account for good":
            "アカウントを完全に削除",
        "Keep the account":
            "アカウントを残す",
        "Send the confirmation mail again":
            "確認メールを再送信",
        "Added on {date}":
            "追加日：{date}",
        "Remove":
            "解除",
        "Link {provider}":
            "{provider} を連携",
        "Remove {provider}":
            "{provider} を解除",
        "New password":
            "新しいパスワード",
        "Change password":
            "パスワードを変更",
        "Set a password":
            "パスワードを設定",
        "New e-mail address":
            "新しいメールアドレス",
        "Change address":
            "アドレスを変更",
        "Your other sessions end when the password changes.":
            "パスワードを変更すると、ほかのセッションは終了します。",
        "We send a link to the new address. The address changes when you open it, and your other sessions end.":
            "新しいアドレスにリンクを送信します。リンクを開くとアドレスが変更され、ほかのセッションは終了します。",
        "Change your e-mail address":
            "メールアドレスを変更",
        "Manage second factors":
            "第二要素を管理",
        "Second factors":
            "第二要素",
        "Last used on {date}":
            "最終使用日：{date}",
        "Sessions":
            "セッション",
        "Sign out everywhere else":
            "ほかのすべてのセッションからサインアウト",
        "Delete account":
            "アカウントを削除",
        "Name":
            "名前",
        "confirmed":
            "確認済み",
        "not confirmed":
            "未確認",
        "E-mail address":
            "メールアドレス",
        "You use this site without an account. Add a way to sign in, so that you can come back from another browser.":
            "アカウントなしでこのサイトを使っています。別のブラウザーからも戻れるように、サインイン方法を追加してください。",
        "User ID":
            "ユーザー ID",
        "This is your only way to sign in. Add another one before you remove it.":
            "これは唯一のサインイン方法です。解除する前に、別の方法を追加してください。",
        "Add a way to sign in":
            "サインイン方法を追加",
        "Ways to sign in":
            "サインイン方法",
        "E-mail and password":
            "メールアドレスとパスワード",
        "You have no second factor. With one, a stolen password is not enough to sign in.":
            "第二要素がありません。第二要素があれば、盗まれたパスワードだけではサインインできません。",
        "This session":
            "このセッション",
        "A page asks you for confirmation first.":
            "先に確認のページが表示されます。",
        "Your account":
            "あなたのアカウント",
        "To change your ways to sign in, your password or your address, sign in again first.":
            "サインイン方法、パスワード、アドレスを変更するには、先にもう一度サインインしてください。",
        "The way to sign in was added.":
            "サインイン方法を追加しました。",
        "The way to sign in was removed. Sessions that were made with it have ended.":
            "サインイン方法を解除しました。その方法で始めたセッションは終了しました。",
        "Your password was changed. Your other sessions have ended.":
            "パスワードを変更しました。ほかのセッションは終了しました。",
        "Your e-mail address is confirmed.":
            "メールアドレスを確認しました。",
        "Your e-mail address was changed. Your other sessions have ended.":
            "メールアドレスを変更しました。ほかのセッションは終了しました。",
        "The sessions have ended.":
            "セッションを終了しました。",
        "You signed in again. You can make changes now.":
            "もう一度サインインしました。変更できます。",
        "You are signed in to the other account now.":
            "もう一方のアカウントにサインインしています。",
        "The way to sign in could not be added. Nothing was changed.":
            "サインイン方法を追加できませんでした。何も変更されていません。",
        "The address belongs to an account that is linked to another {provider} account.":
            "このアドレスは、別の {provider} アカウントと連携しているアカウントのものです。",
        "Sign in to that account in one of its ways, or ask the site's administrator.":
            "そのアカウントにいずれかの方法でサインインするか、このサイトの管理者に問い合わせてください。",
        "The address that {provider} sent belongs to an account, and {provider} is not linked to it.":
            "{provider} から届いたアドレスは既存のアカウントのもので、そのアカウントは {provider} と連携していません。",
        "An account with the address {email} exists, and {provider} is not linked to it.":
            "アドレス {email} のアカウントがすでにあり、{provider} とは連携していません。",
        "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it.":
            "そのアカウントにいつもの方法でサインインしてください。その後、{provider} を連携するかどうかを確認します。",
        "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it.":
            "そのアカウントにいずれかの方法でサインインしてください。その後、{provider} を連携するかどうかを確認します。",
        "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.":
            "このブラウザーで {minutes} 分間有効です。サインインしなければ、何も変わりません。",
        "Link {provider} to your account?":
            "{provider} をアカウントに連携しますか?",
        "A sign-in with {provider} in this browser met your account, because both have the same e-mail address.":
            "このブラウザーで {provider} によるサインインがありました。メールアドレスがあなたのアカウントと同じです。",
        "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address.":
            "このブラウザーで {provider} の {name} としてのサインインがありました。メールアドレスがあなたのアカウントと同じです。",
        "{provider} has not confirmed that the address {email} belongs to that user.":
            "{provider} は、アドレス {email} がそのユーザーのものであることを確認していません。",
        "If you link it, the user of that {provider} account can sign in to your account.":
            "連携すると、その {provider} アカウントを持つ人はあなたのアカウントにサインインできます。",
        "Choose No if you did not sign in with {provider} yourself.":
            "ご自身で {provider} にサインインしていない場合は「いいえ」を選んでください。",
        "No, do not link":
            "いいえ、連携しません",
        "Yes, link":
            "はい、連携します",
        "{provider} is linked to another account of this site. Nothing was changed.":
            "{provider} はこのサイトの別のアカウントと連携しています。何も変更されていません。",
        "You can sign in to that account now. You then use that one instead of the one you are signed in to.":
            "今そのアカウントにサインインできます。以後は、現在のアカウントの代わりにそのアカウントを使います。",
        "Sign in to the other account":
            "もう一方のアカウントにサインイン",
        "Keep using this account":
            "このアカウントを使い続ける",
        "Cancel":
            "キャンセル",
        "Confirm that it is you":
            "本人確認をしてください",
        "The next step is sensitive. Sign in again to the same account to continue.":
            "次の操作には注意が必要です。続けるには、同じアカウントにもう一度サインインしてください。",
        "At least {count} characters. A few words that do not belong together are easy to remember.":
            "{count} 文字以上。互いに関係のない単語をいくつか並べると覚えやすくなります。",
        "The e-mail address or the password is wrong.":
            "メールアドレスまたはパスワードが違います。",
        "There were too many attempts. Try again in a minute.":
            "試行回数が多すぎます。1 分ほど待ってからもう一度お試しください。",
        "There were too many attempts. Try again in {minutes} minutes.":
            "試行回数が多すぎます。{minutes} 分ほど待ってからもう一度お試しください。",
        "Enter a complete e-mail address, such as name@example.com.":
            "name@example.com のように、完全なメールアドレスを入力してください。",
        "The password is too short. Use at least {count} characters.":
            "パスワードが短すぎます。{count} 文字以上にしてください。",
        "The password is too long. Use at most 1,024 bytes.":
            "パスワードが長すぎます。1,024 バイト以内にしてください。",
        "Many people use this password, so it is easy to guess. Choose another one.":
            "このパスワードは多くの人が使っているため、推測されやすくなります。別のものを選んでください。",
        "Send the mail":
            "メールを送信",
        "Reset your password":
            "パスワードを再設定",
        "Enter the e-mail address of your account. We send you a link to choose a new password.":
            "アカウントのメールアドレスを入力してください。新しいパスワードを選ぶためのリンクを送信します。",
        "Back to the sign-in":
            "サインインに戻る",
        "Choose a new password":
            "新しいパスワードを選ぶ",
        "The change ends your sessions on all devices.":
            "変更すると、すべてのデバイスのセッションが終了します。",
        "Confirm address":
            "アドレスを確認",
        "Does the address {email} belong to you?":
            "アドレス {email} はあなたのものですか？",
        "This confirms it for the account {account}. If that is not your account, do not confirm.":
            "アカウント {account} のアドレスとして確認されます。ご自身のアカウントでない場合は、確認しないでください。",
        "This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.":
            "このブラウザーで開始された登録のアドレスとして確認されます。ご自身で開始していない場合は、確認しないでください。",
        "To confirm the address {email}, enter the password of the account that it is for.":
            "アドレス {email} を確認するには、このアドレスを使うアカウントのパスワードを入力してください。",
        "To confirm the address {email}, sign in to the account that it is for.":
            "アドレス {email} を確認するには、このアドレスを使うアカウントにサインインしてください。",
        "You are signed in to another account in this browser.":
            "このブラウザーでは別のアカウントにサインインしています。",
        "Sign in another way":
            "別の方法でサインイン",
        "I did not create this account":
            "このアカウントは作成していません",
        "I did not ask for this":
            "この操作に心当たりがありません",
        "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password.":
            "ほかの人があなたのアドレスでアカウントを作成した場合は、そのアカウントを引き継げます。パスワード、ほかのサインイン方法、セッションは削除され、新しいパスワードを選びます。",
        "If you did not ask for this mail, you can make its link invalid. Nothing else changes.":
            "このメールに心当たりがない場合は、リンクを無効にできます。ほかには何も変わりません。",
        "The link of the mail does not work any more. Nothing else was changed.":
            "メールのリンクは無効になりました。ほかには何も変更していません。",
        "Confirm your e-mail address":
            "メールアドレスの確認",
        "Password":
            "パスワード",
        "Sign in with password":
            "パスワードでサインイン",
        "Forgot your password?":
            "パスワードを忘れた場合",
        "Create an account":
            "アカウントを作成",
        "You will get a mail with a link that confirms your address.":
            "アドレスを確認するためのリンクがメールで届きます。",
        "Sign in instead":
            "代わりにサインイン",
        "No mail after a few minutes? Look in the spam folder, and check the address for typing errors.":
            "数分たってもメールが届かない場合は、迷惑メールフォルダーと、アドレスの入力間違いを確かめてください。",
        "Check your mail":
            "メールを確認してください",
        "We sent you a mail. Open the link in it to continue.":
            "メールを送信しました。続けるには、メールのリンクを開いてください。",
        "If the address belongs to an account, we sent a mail to it. Open the link in it to choose a new password.":
            "そのアドレスのアカウントがあれば、そこにメールを送信しました。メールのリンクを開いて、新しいパスワードを選んでください。",
        "We sent a mail to the new address. The address of your account changes when you open the link in it.":
            "新しいアドレスにメールを送信しました。メールのリンクを開くと、アカウントのアドレスが変更されます。",
        "Not available on this site":
            "このサイトでは利用できません",
        "This site does not keep a list of sessions.":
            "このサイトはセッションの一覧を保持していません。",
        "To end the session of this browser, sign out.":
            "このブラウザーのセッションを終了するには、ログアウトしてください。",
        "This session does not exist":
            "このセッションは存在しません",
        "The session has ended already, or it is not one of yours. Nothing was changed.":
            "セッションはすでに終了しているか、あなたのものではありません。何も変更されていません。",
        "Open the list of your sessions again.":
            "セッションの一覧をもう一度開いてください。",
        "Unknown browser":
            "不明なブラウザー",
    ]
}
