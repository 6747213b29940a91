extension Translations {
    static let japanese: [String: String] = [
        "You do not have access to this page":
            "このページへのアクセス権がありません",
        "You are signed in, but your account is not allowed to open this page.":
            "サインインしていますが、お使いのアカウントではこのページを開けません。",
        "Use another account, or ask the site's administrator for access.":
            "別のアカウントを使うか、このサイトの管理者にアクセスを申請してください。",
        "Please sign in":
            "サインインしてください",
        "You need to sign in to open this page.":
            "このページを開くにはサインインが必要です。",
        "After you sign in, you return to this page.":
            "サインインすると、このページに戻ります。",
        "Please sign in again":
            "もう一度サインインしてください",
        "A stronger sign-in is required":
            "より強力なサインインが必要です",
        "This page requires a stronger sign-in than the one you made.":
            "このページには、今回よりも強力な方法でのサインインが必要です。",
        "Sign in again with a stronger method, such as a security key.":
            "セキュリティ キーなど、より強力な方法でもう一度サインインしてください。",
        "This page requires a recent sign-in, and your last one is too old.":
            "このページには最近のサインインが必要ですが、前回のサインインから時間がたちすぎています。",
        "Sign in again to continue.":
            "続けるには、もう一度サインインしてください。",
        "Your session has ended":
            "セッションが終了しました",
        "A request from another site was blocked":
            "別のサイトからのリクエストをブロックしました",
        "A page of another site, or a program, tried to change something here with your session. Nothing was changed.":
            "別のサイトのページまたはプログラムが、あなたのセッションでここの何かを変更しようとしました。何も変更されていません。",
        "If you intended this, open this site and repeat the step there.":
            "ご自身の操作であれば、このサイトを開いて、そこでもう一度行ってください。",
        "You were inactive for too long, or you signed out in another window.":
            "長い間操作がなかったか、別のウィンドウでサインアウトしました。",
        "Sign in again to continue where you left off.":
            "続きから始めるには、もう一度サインインしてください。",
        "A second factor is required":
            "第二要素が必要です",
        "This page requires a second factor, and you signed in without one.":
            "このページには第二要素が必要ですが、今回のサインインでは使われていません。",
        "Sign in again and confirm with your second factor.":
            "もう一度サインインして、第二要素で確認してください。",
        "The sign-in was not allowed":
            "サインインは許可されませんでした",
        "The provider refused the sign-in, or it was cancelled there.":
            "プロバイダーがサインインを拒否したか、プロバイダー側で取り消されました。",
        "If you cancelled by mistake, sign in again. Otherwise your account may not have access.":
            "誤って取り消した場合は、もう一度サインインしてください。そうでなければ、アカウントに権限がない可能性があります。",
        "The sign-in could not be completed":
            "サインインを完了できませんでした",
        "The sign-in was started in another browser, or its cookie is missing.":
            "サインインが別のブラウザーで始められたか、その Cookie がありません。",
        "Sign in again. If this happens again, allow cookies for this site.":
            "もう一度サインインしてください。繰り返し起こる場合は、このサイトの Cookie を許可してください。",
        "The sign-in took too long, or it was already completed.":
            "サインインに時間がかかりすぎたか、すでに完了しています。",
        "Sign in again.":
            "もう一度サインインしてください。",
        "The response came from a different provider than the one you chose, so it was rejected.":
            "選んだものとは別のプロバイダーから応答が来たため、拒否しました。",
        "Sign in again. If this happens again, tell the site's administrator.":
            "もう一度サインインしてください。繰り返し起こる場合は、このサイトの管理者に知らせてください。",
        "The provider needs your input":
            "プロバイダーでの操作が必要です",
        "The provider could not sign you in without showing you a page.":
            "プロバイダーはページを表示せずにサインインを行えませんでした。",
        "Sign in again and follow the provider's instructions.":
            "もう一度サインインして、プロバイダーの案内に従ってください。",
        "The provider's response was incomplete or contradictory.":
            "プロバイダーの応答が不完全か、矛盾しています。",
        "This link does not work":
            "このリンクは使えません",
        "A part of the address is missing, repeated or not allowed.":
            "アドレスの一部が足りないか、重複しているか、許可されていません。",
        "Go to the start page and try from there.":
            "トップページへ移動して、そこからお試しください。",
        "This form has expired":
            "このフォームは期限切れです",
        "The form was opened too long ago, or it belongs to another session. Nothing was changed.":
            "フォームを開いてから時間がたちすぎているか、別のセッションのものです。何も変更されていません。",
        "Open the page again and repeat the step.":
            "ページを開き直して、手順を繰り返してください。",
        "Unknown provider":
            "不明なプロバイダー",
        "The provider in this address is not configured on this site, or it is disabled.":
            "このアドレスのプロバイダーは、このサイトで設定されていないか、無効になっています。",
        "Choose one of the providers of this site.":
            "このサイトのプロバイダーから選んでください。",
        "The provider could not sign you in":
            "プロバイダーでサインインできませんでした",
        "The provider returned an error.":
            "プロバイダーがエラーを返しました。",
        "Try again in a moment. If it still fails, tell the site's administrator.":
            "しばらくしてからもう一度お試しください。それでも失敗する場合は、このサイトの管理者に知らせてください。",
        "The provider's response failed verification":
            "プロバイダーの応答を検証できませんでした",
        "The information that the provider sent about you failed a security check, so it was rejected.":
            "プロバイダーから届いたあなたの情報がセキュリティの確認を通らなかったため、拒否しました。",
        "Try again. If it still fails, tell the site's administrator.":
            "もう一度お試しください。それでも失敗する場合は、このサイトの管理者に知らせてください。",
        "The provider confirmed the sign-in, but this site cannot use its response.":
            "プロバイダーはサインインを確認しましたが、このサイトではその応答を使えません。",
        "The provider did not send usable information about your account.":
            "プロバイダーから、使用できるアカウント情報が届きませんでした。",
        "Two responses of the provider name different accounts, so both were rejected.":
            "プロバイダーの二つの応答が別々のアカウントを示していたため、どちらも拒否しました。",
        "The provider cannot be reached":
            "プロバイダーに接続できません",
        "This site could not connect to the provider.":
            "このサイトはプロバイダーに接続できませんでした。",
        "Try again in a minute. Your account is not affected.":
            "1 分ほど待ってからもう一度お試しください。アカウントへの影響はありません。",
        "The provider takes too long":
            "プロバイダーの応答に時間がかかりすぎています",
        "The provider did not respond in time.":
            "プロバイダーが時間内に応答しませんでした。",
        "Sessions are unavailable":
            "セッションを利用できません",
        "The sign-out failed":
            "サインアウトできませんでした",
        "This site could not record that you signed out.":
            "このサイトは、サインアウトを記録できませんでした。",
        "Try again in a minute. On a shared computer, close the browser.":
            "1 分ほど待ってからもう一度お試しください。共用のコンピューターでは、ブラウザーを閉じてください。",
        "This site cannot reach its session store.":
            "このサイトは、セッションの保存先に接続できません。",
        "Try again in a minute. You have not been signed out.":
            "1 分ほど待ってからもう一度お試しください。サインアウトはされていません。",
        "The token was rejected":
            "トークンは拒否されました",
        "The token is malformed, expired, issued for another site, or of a type that is not accepted here.":
            "トークンの形式が正しくないか、期限切れか、このサイト宛てではないか、ここでは受け付けない種類です。",
        "Get a new token for this site and send it in the Authorization header.":
            "このサイト用の新しいトークンを取得し、Authorization ヘッダーで送信してください。",
        "The token lacks a scope":
            "トークンのスコープが足りません",
        "The token is valid, but it lacks a scope that is required here.":
            "トークンは有効ですが、ここで必要なスコープがありません。",
        "Ask the provider for a token with the scopes of this API.":
            "この API のスコープを持つトークンをプロバイダーに要求してください。",
        "The logout token was rejected":
            "ログアウトトークンは拒否されました",
        "The logout token is malformed, expired, already used or issued for another site.":
            "ログアウトトークンの形式が正しくないか、期限切れか、使用済みか、このサイト宛てではありません。",
        "Send a new logout token.":
            "新しいログアウトトークンを送ってください。",
        "The request was not understood":
            "リクエストを理解できませんでした",
        "Your browser or program sent a request that this site does not accept.":
            "ブラウザーまたはプログラムが、このサイトで受け付けられないリクエストを送りました。",
        "Check the address, or go to the start page.":
            "アドレスを確認するか、トップページへ移動してください。",
        "The app cannot be reached":
            "アプリに接続できません",
        "The app behind this page did not send a usable response.":
            "このページのアプリから、使用できる応答が返されませんでした。",
        "Try again in a minute. If it still fails, tell the site's administrator.":
            "1 分ほど待ってからもう一度お試しください。それでも失敗する場合は、このサイトの管理者に知らせてください。",
        "Something went wrong":
            "問題が発生しました",
        "An internal error occurred in the gateway. You did not cause it.":
            "ゲートウェイで内部エラーが発生しました。あなたの操作が原因ではありません。",
        "The rules of this site do not allow this request.":
            "このサイトの規則では、このリクエストは許可されていません。",
        "If you need access, ask the site's administrator.":
            "アクセスが必要な場合は、このサイトの管理者に問い合わせてください。",
        "This page is not allowed to connect":
            "このページからは接続できません",
        "A page of another site tried to connect here with your session. The connection was refused.":
            "別のサイトのページが、あなたのセッションでここへ接続しようとしました。接続は拒否されました。",
        "If the page is yours, serve it from this site's address.":
            "ご自身のページであれば、このサイトのアドレスから配信してください。",
        "Page not found":
            "ページが見つかりません",
        "There is no page at this address.":
            "このアドレスにはページがありません。",
        "Check the address for typing errors, or go to the start page.":
            "アドレスに誤りがないか確認するか、トップページへ移動してください。",
        "This request is not allowed here":
            "このリクエストはここでは許可されていません",
        "This address does not accept this kind of request.":
            "このアドレスは、その種類のリクエストを受け付けません。",
        "Go back and use the links or buttons of the page.":
            "戻って、ページのリンクやボタンをお使いください。",
        "The request took too long to arrive":
            "リクエストの到着に時間がかかりすぎました",
        "Your browser or program did not finish sending the request in time.":
            "ブラウザーまたはプログラムが、時間内にリクエストを送り終えませんでした。",
        "Check your connection and try again.":
            "接続を確認して、もう一度お試しください。",
        "The request is too large":
            "リクエストが大きすぎます",
        "You sent more data than this site accepts.":
            "送信されたデータが、このサイトで受け付けられる量を超えています。",
        "Send less data, or ask the site's administrator to raise the limit.":
            "送信するデータを減らすか、このサイトの管理者に上限の引き上げを依頼してください。",
        "The address is too long":
            "アドレスが長すぎます",
        "The address is longer than this site accepts.":
            "アドレスが、このサイトで受け付けられる長さを超えています。",
        "Your program expects a feature that this site does not offer.":
            "プログラムが、このサイトにない機能を求めています。",
        "Send the request without the Expect header.":
            "Expect ヘッダーなしでリクエストを送ってください。",
        "Wrong host name":
            "ホスト名が正しくありません",
        "The host name in the address does not belong to this site.":
            "アドレスのホスト名は、このサイトのものではありません。",
        "Check the address for typing errors.":
            "アドレスに誤りがないか確認してください。",
        "Too many requests":
            "リクエストが多すぎます",
        "There were too many requests in a short time.":
            "短い時間にリクエストが多すぎました。",
        "Wait a minute, then try again.":
            "1 分ほど待ってから、もう一度お試しください。",
        "The headers of the request are too large":
            "リクエストのヘッダーが大きすぎます",
        "Your browser sent larger headers than this site accepts. Old cookies are the usual cause.":
            "ブラウザーが送ったヘッダーが、このサイトで受け付けられる大きさを超えています。多くの場合、古い Cookie が原因です。",
        "Delete the cookies of this site and try again.":
            "このサイトの Cookie を削除して、もう一度お試しください。",
        "This request is not supported":
            "このリクエストには対応していません",
        "The request uses a feature that this site does not support.":
            "リクエストが、このサイトで対応していない機能を使っています。",
        "Temporarily unavailable":
            "一時的にご利用いただけません",
        "This site records sign-ins and access, and it cannot write that record right now.":
            "このサイトはサインインとアクセスを記録していますが、現在その記録を書き込めません。",
        "The site is busy or restarting":
            "サイトが混み合っているか、再起動中です",
        "The site cannot process the request right now.":
            "サイトは現在リクエストを処理できません。",
        "Try again in a minute.":
            "1 分ほど待ってからもう一度お試しください。",
        "The app is busy":
            "アプリが混み合っています",
        "The app behind this page is handling as many requests as it can.":
            "このページのアプリは、処理できる上限のリクエストを処理しています。",
        "The app takes too long":
            "アプリの応答に時間がかかりすぎています",
        "The app behind this page did not respond in time. It may still be processing your request.":
            "このページのアプリが時間内に応答しませんでした。リクエストをまだ処理している可能性があります。",
        "Wait a minute before you try again.":
            "もう一度試す前に、1 分ほどお待ちください。",
        "Your program uses an HTTP version that this site does not support.":
            "プログラムが使っている HTTP のバージョンに、このサイトは対応していません。",
        "Use HTTP/1.1 or HTTP/2.":
            "HTTP/1.1 または HTTP/2 をお使いください。",
        "The request went in a loop":
            "リクエストがループしました",
        "The request came back to the gateway, because the app's address points to the gateway.":
            "アプリのアドレスがゲートウェイを指しているため、リクエストがゲートウェイに戻ってきました。",
        "Tell the site's administrator that an upstream points to the gateway itself.":
            "アップストリームがゲートウェイ自身を指していることを、このサイトの管理者に知らせてください。",
        "Sign in":
            "サインイン",
        "to continue to {site}":
            "{site} へ進みます",
        "Sign in with {provider}":
            "{provider} でサインイン",
        "Last used":
            "前回使用",
        "No provider is enabled on this site. Please tell the site's administrator.":
            "このサイトで有効なプロバイダーがありません。このサイトの管理者に知らせてください。",
        "Your session has ended. Sign in to continue where you left off.":
            "セッションが終了しました。サインインすると、続きから始められます。",
        "This page requires a recent sign-in. Please sign in again.":
            "このページには最近のサインインが必要です。もう一度サインインしてください。",
        "The sign-in took too long, or it was already used. Please sign in again.":
            "サインインに時間がかかりすぎたか、すでに使われています。もう一度サインインしてください。",
        "This provider cannot be reached right now. Try again in a moment, or choose another provider.":
            "このプロバイダーには現在接続できません。しばらくしてからもう一度試すか、別のプロバイダーを選んでください。",
        "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again.":
            "入力した内容は送信されていません。先にサインインしてください。その後、ブラウザーの「戻る」ボタンでフォームに戻り、もう一度送信してください。",
        "Sign out?":
            "サインアウトしますか？",
        "Sign out":
            "サインアウト",
        "You are signed in.":
            "サインインしています。",
        "You are signed in as {name}.":
            "{name} としてサインインしています。",
        "Stay signed in":
            "サインインしたままにする",
        "You are signed out":
            "サインアウトしました",
        "You are not signed in":
            "サインインしていません",
        "Your session has ended.":
            "セッションは終了しました。",
        "You may still be signed in to {provider}. On a shared computer, sign out there too.":
            "{provider} にはまだサインインしている可能性があります。共用のコンピューターでは、そちらでもサインアウトしてください。",
        "There is no session to end.":
            "終了するセッションはありません。",
        "Sign in again":
            "もう一度サインイン",
        "Use another account":
            "別のアカウントを使う",
        "Try again":
            "もう一度試す",
        "Go to the start page":
            "トップページへ移動",
        "Code":
            "コード",
        "Status":
            "ステータス",
        "Request ID":
            "リクエスト ID",
        "Provider":
            "プロバイダー",
        "If you ask for help, include the code and the request ID above.":
            "問い合わせの際は、上のコードとリクエスト ID をお伝えください。",
        "Help":
            "ヘルプ",
        "Privacy":
            "プライバシー",
        "Signed in as":
            "サインイン中のアカウント",
        "By this site's clock, the provider's response expired {seconds} seconds ago. The clock may be wrong.":
            "このサイトの時計では、プロバイダーの応答は {seconds} 秒前に期限が切れています。時計がずれている可能性があります。",
        "By this site's clock, the provider's response is {seconds} seconds old. The clock may be wrong.":
            "このサイトの時計では、プロバイダーの応答は {seconds} 秒前のものです。時計がずれている可能性があります。",
        "By this site's clock, the provider's response is from {seconds} seconds in the future. The clock may be wrong.":
            "このサイトの時計では、プロバイダーの応答は {seconds} 秒先の未来のものです。時計がずれている可能性があります。",
        "This way of signing in does not work here":
            "このサインイン方法はここでは使えません",
        "Your browser or program tried to sign in to the app with NTLM or Negotiate, which need a connection of their own. It uses HTTP/2, or a proxy shares its connection among users.":
            "お使いのブラウザーまたはプログラムは、専用の接続を必要とする NTLM または Negotiate でアプリにサインインしようとしました。接続が HTTP/2 であるか、プロキシが接続を複数のユーザーで共有しています。",
        "Use HTTP/1.1 without a proxy in between, or tell the site's administrator.":
            "プロキシを介さずに HTTP/1.1 を使うか、サイトの管理者に連絡してください。",
    ]
}
