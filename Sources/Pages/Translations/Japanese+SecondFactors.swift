extension Translations {
    static let japaneseSecondFactors: [String: String] = [
        "Confirm your sign-in":
            "サインインの確認",
        "Enter the 6-digit code that your authenticator app shows for {site}.":
            "認証アプリが {site} について表示する 6 桁のコードを入力してください。",
        "Use the passkey or security key that you added to your account.":
            "アカウントに追加したパスキーまたはセキュリティキーを使ってください。",
        "Enter the 6-digit code that we sent to {phone}.":
            "{phone} に送信した 6 桁のコードを入力してください。",
        "We send a code to {phone}.":
            "{phone} にコードを送信します。",
        "Enter one of your recovery codes. Each code works once.":
            "リカバリーコードを 1 つ入力してください。各コードは 1 回だけ使えます。",
        "6-digit code":
            "6 桁のコード",
        "Recovery code":
            "リカバリーコード",
        "Send the message":
            "SMS を送信",
        "Use passkey":
            "パスキーを使う",
        "Confirm":
            "確認",
        "Send another message":
            "SMS をもう一度送信",
        "Do not ask again on this browser for {days} days":
            "このブラウザーでは {days} 日間確認しない",
        "If you cannot use any of your second factors, ask the site's administrator.":
            "どの第二要素も使えない場合は、サイトの管理者に問い合わせてください。",
        "Authenticator app":
            "認証アプリ",
        "Passkey or security key":
            "パスキーまたはセキュリティキー",
        "Text message":
            "SMS",
        "Recovery codes":
            "リカバリーコード",
        "No passkey was added. Try again, or add another kind of second factor.":
            "パスキーは追加されませんでした。もう一度試すか、別の種類の第二要素を追加してください。",
        "The passkey was not used. Try again, or use another second factor.":
            "パスキーは使われませんでした。もう一度試すか、別の第二要素を使ってください。",
        "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.":
            "パスキーには JavaScript と、パスキーに対応したブラウザーが必要です。別の種類の第二要素を追加するか、別のブラウザーを使ってください。",
        "Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.":
            "パスキーには JavaScript と、パスキーに対応したブラウザーが必要です。別の第二要素を使うか、別のブラウザーを使ってください。",
        "Sign in with a passkey":
            "パスキーでサインイン",
        "The passkey was not used. Try again, or sign in another way.":
            "パスキーは使われませんでした。もう一度試すか、別の方法でサインインしてください。",
        "Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.":
            "パスキーには JavaScript と、パスキーに対応したブラウザーが必要です。別の方法でサインインするか、別のブラウザーを使ってください。",
        "The passkey was not accepted. Try again, or sign in another way.":
            "パスキーは受け付けられませんでした。もう一度試すか、別の方法でサインインしてください。",
        "This passkey is already a second factor of your account.":
            "このパスキーはすでにアカウントの第二要素です。",
        "With a second factor, a stolen password is not enough to sign in.":
            "第二要素があれば、盗まれたパスワードだけではサインインできません。",
        "The second factor was added.":
            "第二要素を追加しました。",
        "The second factor was removed.":
            "第二要素を削除しました。",
        "This site requires a second factor. Add one to continue.":
            "このサイトには第二要素が必要です。続けるには追加してください。",
        "To add or remove second factors, sign in again first.":
            "第二要素を追加または削除するには、まずもう一度サインインしてください。",
        "To add a second factor, confirm your e-mail address first.":
            "第二要素を追加するには、まずメールアドレスを確認してください。",
        "You use this site without an account. Add a way to sign in before you add a second factor.":
            "アカウントなしでこのサイトを使っています。第二要素を追加する前に、サインイン方法を追加してください。",
        "Continue":
            "続ける",
        "If you remove your last other second factor, the recovery codes are removed, too.":
            "ほかの最後の第二要素を削除すると、リカバリーコードも削除されます。",
        "Codes left: {count}":
            "残りのコード: {count}",
        "An app on your phone or computer shows a new code every 30 seconds.":
            "スマートフォンやパソコンのアプリが 30 秒ごとに新しいコードを表示します。",
        "Set up an authenticator app":
            "認証アプリを設定",
        "Your device asks for your fingerprint, your face or a PIN, or you touch a security key.":
            "デバイスが指紋、顔、または PIN を求めるか、セキュリティキーに触れます。",
        "Add a passkey":
            "パスキーを追加",
        "Phone number":
            "電話番号",
        "We send a code to your phone when you sign in.":
            "サインインのときに、電話にコードを送信します。",
        "Ten codes that work once each, for when you cannot use your other second factors.":
            "それぞれ 1 回だけ使える 10 個のコードです。ほかの第二要素を使えないときに使います。",
        "You can create them after you add another second factor.":
            "別の第二要素を追加すると作成できます。",
        "New codes replace the ones that you have.":
            "新しいコードは今あるコードを置き換えます。",
        "Create new recovery codes":
            "新しいリカバリーコードを作成",
        "Create recovery codes":
            "リカバリーコードを作成",
        "Name (optional)":
            "名前（任意）",
        "Add a second factor":
            "第二要素を追加",
        "With the country code, such as +12025550123.":
            "国番号を付けてください（例: +12025550123）。",
        "Scan this QR code with an authenticator app.":
            "この QR コードを認証アプリで読み取ってください。",
        "Then enter the code that the app shows.":
            "次に、アプリが表示するコードを入力してください。",
        "QR code with the secret":
            "シークレットの QR コード",
        "Enter this secret in an authenticator app:":
            "認証アプリにこのシークレットを入力してください:",
        "Or enter this secret in the app:":
            "または、アプリにこのシークレットを入力してください:",
        "Open in an authenticator app":
            "認証アプリで開く",
        "Add the app":
            "アプリを追加",
        "Confirm your phone number":
            "電話番号の確認",
        "Your browser asks you to create a passkey or to use a security key.":
            "ブラウザーが、パスキーの作成またはセキュリティキーの使用を求めます。",
        "Create passkey":
            "パスキーを作成",
        "The codes that you had before no longer work.":
            "以前のコードは使えなくなりました。",
        "Your recovery codes":
            "リカバリーコード一覧",
        "Each code works once, when you cannot use your other second factors.":
            "ほかの第二要素を使えないときに、各コードを 1 回だけ使えます。",
        "Print this page, or store the codes in a password manager. They are not shown again.":
            "このページを印刷するか、コードをパスワードマネージャーに保存してください。再び表示されることはありません。",
        "I have stored them":
            "保管しました",
        "The code is wrong, or it was already used. Enter the current one.":
            "コードが正しくないか、すでに使われています。現在のコードを入力してください。",
        "The passkey was not accepted. Try again, or use another second factor.":
            "パスキーは受け付けられませんでした。もう一度試すか、別の第二要素を使ってください。",
        "The code has expired. Enter a new one.":
            "コードの有効期限が切れました。新しいコードを入力してください。",
        "Too many text messages were requested. You can request another one in a minute.":
            "SMS の請求が多すぎます。1 分後にもう一度請求できます。",
        "Too many text messages were requested. You can request another one in {minutes} minutes.":
            "SMS の請求が多すぎます。{minutes} 分後にもう一度請求できます。",
        "Enter the number with its country code, such as +12025550123.":
            "国番号を付けて番号を入力してください（例: +12025550123）。",
        "This second factor is already in use. Add another one.":
            "この第二要素はすでに使われています。別のものを追加してください。",
        "Your account has as many second factors as it can have. Remove one before you add another.":
            "アカウントの第二要素は上限に達しています。追加する前に 1 つ削除してください。",
        "This step needs a second factor besides your sign-in.":
            "このステップには、サインインのほかに第二要素が必要です。",
        "Continue with your second factor.":
            "第二要素で続けてください。",
        "The code is wrong":
            "コードが正しくありません",
        "The code is wrong, or it was already used.":
            "コードが正しくないか、すでに使われています。",
        "Go back and enter the current code.":
            "前のページに戻り、現在のコードを入力してください。",
        "The code has expired":
            "コードの有効期限が切れました",
        "The code is too old, or the step that it belongs to has ended.":
            "コードが古すぎるか、コードに対応する手続きが終了しています。",
        "Sign in again and enter a new code.":
            "もう一度サインインして、新しいコードを入力してください。",
        "This second factor is already in use":
            "この第二要素はすでに使われています",
        "It is already a second factor of an account on this site. Nothing was changed.":
            "すでにこのサイトのアカウントの第二要素です。何も変更されていません。",
        "Add another second factor.":
            "別の第二要素を追加してください。",
        "Too many second factors":
            "第二要素が多すぎます",
        "Your account has as many second factors as it can have.":
            "アカウントの第二要素は上限に達しています。",
        "Remove one before you add another.":
            "追加する前に 1 つ削除してください。",
        "This second factor does not exist":
            "この第二要素は存在しません",
        "Your account has no such second factor. Perhaps you removed it in another window.":
            "アカウントにその第二要素はありません。別のウィンドウで削除した可能性があります。",
        "Look up your second factors on your account page.":
            "アカウントページで第二要素を確かめてください。",
        "Add a way to sign in first":
            "まずサインイン方法を追加してください",
        "An account without a way to sign in cannot have second factors.":
            "サインイン方法のないアカウントには第二要素を追加できません。",
        "Add a way to sign in on your account page.":
            "アカウントページでサインイン方法を追加してください。",
        "This phone number cannot be used":
            "この電話番号は使えません",
        "The phone number is incomplete, or it has no country code.":
            "電話番号が不完全か、国番号がありません。",
        "Go back and enter the number with its country code.":
            "前のページに戻り、国番号を付けて番号を入力してください。",
        "This is not available":
            "この操作は利用できません",
        "This site does not offer this kind of second factor, or your account does not allow this.":
            "このサイトではこの種類の第二要素を提供していないか、お使いのアカウントでは利用できません。",
        "Look at your account page for what you can do.":
            "アカウントページで利用できる操作を確認してください。",
        "A second factor was added to your account at {site}":
            "{site} のアカウントに第二要素が追加されました",
        "Your account at {site} has a new second factor: {factor}.":
            "{site} のアカウントに新しい第二要素があります: {factor}",
        "If it was not you, remove it now, and check the ways to sign in of your account.":
            "お心当たりがない場合は、今すぐ削除し、アカウントのサインイン方法を確かめてください。",
        "A second factor was removed from your account at {site}":
            "{site} のアカウントから第二要素が削除されました",
        "Your account at {site} no longer has this second factor: {factor}.":
            "{site} のアカウントから次の第二要素が削除されました: {factor}",
    ]
}
