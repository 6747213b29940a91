extension Translations {
    static let japanese: [String: String] = [
        "This page is not open to you":
            "このページを開く権限がありません",
        "You are signed in, but your account is not on the list for this page.":
            "サインインしていますが、このページを利用できるアカウントの一覧に含まれていません。",
        "If you have another account, use that one. Otherwise ask the people who run this site for access.":
            "別のアカウントをお持ちの場合はそちらをお使いください。お持ちでない場合は、このサイトの管理者に利用を申請してください。",
        "Please sign in":
            "サインインしてください",
        "This page is for people who are signed in.":
            "このページはサインインした方のためのものです。",
        "Sign in, and you will come straight back.":
            "サインインすると、すぐにここへ戻ります。",
        "Please sign in once more":
            "もう一度サインインしてください",
        "This page asks for a recent sign-in, and yours was a while ago.":
            "このページには最近のサインインが必要ですが、前回から時間がたっています。",
        "Sign in again to go on. Nothing else has changed.":
            "続けるにはもう一度サインインしてください。ほかに変わったことはありません。",
        "Your session has ended":
            "セッションが終了しました",
        "This did not come from here":
            "ここからの操作ではありません",
        "Another site's page, or a program, tried to change something here with your session. Nothing was changed.":
            "別のサイトのページまたはプログラムが、あなたのセッションでここの何かを変更しようとしました。何も変更されていません。",
        "If it was you, open this site and repeat the step there.":
            "ご自身の操作であれば、このサイトを開いて、そこでもう一度行ってください。",
        "You were away for a while, or signed out in another window.":
            "しばらく操作がなかったか、別のウィンドウでサインアウトしました。",
        "Sign in again to go on where you were.":
            "もう一度サインインすると、続きから始められます。",
        "One more step is needed":
            "もう一つ手順が必要です",
        "This page asks for a sign-in with a second factor, and yours had none.":
            "このページには第二要素を使ったサインインが必要ですが、今回は使われていません。",
        "Sign in again and confirm with your second factor.":
            "もう一度サインインして、第二要素で確認してください。",
        "The sign-in was not allowed":
            "サインインは許可されませんでした",
        "The provider did not let this sign-in through, or it was cancelled there.":
            "プロバイダーがこのサインインを認めなかったか、そこで取り消されました。",
        "If you cancelled by mistake, sign in again. If not, your account may lack access.":
            "誤って取り消した場合は、もう一度サインインしてください。そうでなければ、アカウントに権限がない可能性があります。",
        "This sign-in cannot be finished":
            "このサインインは完了できません",
        "It was not started in this browser, or its cookie is gone.":
            "このブラウザーで始めたものではないか、Cookie がなくなっています。",
        "Start again from here. If it keeps happening, allow cookies for this site.":
            "ここからやり直してください。繰り返し起こる場合は、このサイトの Cookie を許可してください。",
        "It took too long, or it was finished already.":
            "時間がかかりすぎたか、すでに完了しています。",
        "Start again from here.":
            "ここからやり直してください。",
        "The answer came from another provider than the one you went to, so it was not accepted.":
            "選んだものとは別のプロバイダーから応答が来たため、受け付けませんでした。",
        "Start again from here. If it happens again, tell the people who run this site.":
            "ここからやり直してください。もう一度起こる場合は、このサイトの管理者に知らせてください。",
        "The provider wants to ask you something":
            "プロバイダーから確認があります",
        "The provider could not sign you in without showing you a page of its own.":
            "プロバイダーは自身のページを表示せずにサインインを行えませんでした。",
        "Sign in again and follow what the provider asks.":
            "もう一度サインインして、プロバイダーの案内に従ってください。",
        "The answer that came back from the provider was incomplete or contradictory.":
            "プロバイダーから返された応答が不完全か、矛盾しています。",
        "That link does not work":
            "そのリンクは使えません",
        "Something in the address is missing, doubled or not allowed.":
            "アドレスの一部が足りないか、重複しているか、許可されていません。",
        "Go to the start page and try from there.":
            "トップページへ移動して、そこからお試しください。",
        "That form is out of date":
            "そのフォームは古くなっています",
        "The page you sent was opened too long ago or belongs to another session. Nothing was changed.":
            "送信されたページは開いてから時間がたちすぎているか、別のセッションのものです。何も変更されていません。",
        "Open the page again and repeat the step.":
            "ページを開き直して、手順を繰り返してください。",
        "There is no such sign-in here":
            "そのサインイン方法はここにはありません",
        "The provider in this address is not set up on this site, or is switched off.":
            "このアドレスのプロバイダーは、このサイトで設定されていないか、無効になっています。",
        "Choose one of the ways to sign in that this site offers.":
            "このサイトが用意しているサインイン方法から選んでください。",
        "The provider could not sign you in":
            "プロバイダーでサインインできませんでした",
        "The provider answered with an error of its own.":
            "プロバイダーが自身のエラーを返しました。",
        "Try again in a moment. If it stays like this, the people who run this site need to look at it.":
            "しばらくしてからもう一度お試しください。続く場合は、このサイトの管理者による確認が必要です。",
        "The provider's answer did not check out":
            "プロバイダーの応答を確認できませんでした",
        "What the provider said about you failed a security check, so it was not accepted.":
            "プロバイダーが伝えたあなたの情報が安全性の確認を通らなかったため、受け付けませんでした。",
        "Try again. If it stays like this, the people who run this site need to look at it.":
            "もう一度お試しください。続く場合は、このサイトの管理者による確認が必要です。",
        "The provider confirmed the sign-in in a form that this site cannot use.":
            "プロバイダーは、このサイトで使えない形でサインインを確認しました。",
        "The provider did not say in a usable form who you are.":
            "プロバイダーは、あなたが誰であるかを使える形で示しませんでした。",
        "Two answers of the provider were about different people, so neither was accepted.":
            "プロバイダーの二つの応答が別々の人を指していたため、どちらも受け付けませんでした。",
        "The provider cannot be reached":
            "プロバイダーに接続できません",
        "This site could not talk to the provider that signs you in.":
            "このサイトは、サインインに使うプロバイダーと通信できませんでした。",
        "Try again in a minute. Your account is fine.":
            "一分ほど待ってからもう一度お試しください。アカウントに問題はありません。",
        "The provider takes too long":
            "プロバイダーの応答に時間がかかりすぎています",
        "The provider that signs you in did not answer in time.":
            "サインインに使うプロバイダーが時間内に応答しませんでした。",
        "Sessions are not available":
            "セッションを利用できません",
        "The sign-out did not work":
            "サインアウトできませんでした",
        "This site could not record that you signed out.":
            "このサイトは、サインアウトを記録できませんでした。",
        "Try again in a minute. On a shared computer, close the browser in any case.":
            "1分後にもう一度お試しください。共用のコンピューターでは、必ずブラウザーを閉じてください。",
        "This site cannot reach the place where it keeps sessions.":
            "このサイトは、セッションの保管場所に接続できません。",
        "Try again in a minute. You have not been signed out.":
            "一分ほど待ってからもう一度お試しください。サインアウトはされていません。",
        "That token was refused":
            "そのトークンは拒否されました",
        "The token is malformed, expired, not meant for this site, or of a kind that is not taken here.":
            "トークンの形式が正しくないか、期限切れか、このサイト宛てではないか、ここでは受け付けない種類です。",
        "Get a fresh token for this site and send it in the Authorization header.":
            "このサイト用の新しいトークンを取得し、Authorization ヘッダーで送信してください。",
        "That token allows too little":
            "そのトークンでは権限が足りません",
        "The token is good, but it lacks a scope that is needed here.":
            "トークンは有効ですが、ここで必要なスコープがありません。",
        "Ask the provider for a token with the scopes of this API.":
            "この API のスコープを持つトークンをプロバイダーに要求してください。",
        "That logout token was refused":
            "そのログアウトトークンは拒否されました",
        "The logout token is malformed, expired, used before or not meant for this site.":
            "ログアウトトークンの形式が正しくないか、期限切れか、使用済みか、このサイト宛てではありません。",
        "Send a fresh logout token.":
            "新しいログアウトトークンを送ってください。",
        "The request was not understood":
            "リクエストを理解できませんでした",
        "Your browser or program sent something that this site does not accept.":
            "ブラウザーまたはプログラムが、このサイトで受け付けられないものを送りました。",
        "Check the address, or go to the start page.":
            "アドレスを確認するか、トップページへ移動してください。",
        "The app cannot be reached":
            "アプリに接続できません",
        "You got this far, but the app behind this page did not give a usable answer.":
            "ここまでは来ましたが、このページの後ろにあるアプリが使える応答を返しませんでした。",
        "Try again in a minute. If it stays like this, tell the people who run this site.":
            "一分ほど待ってからもう一度お試しください。続く場合は、このサイトの管理者に知らせてください。",
        "Something went wrong here":
            "ここで問題が起こりました",
        "The gateway ran into a fault of its own. It is not something you did.":
            "ゲートウェイ自身に不具合が起こりました。あなたの操作が原因ではありません。",
        "The rules of this site do not allow this request.":
            "このサイトの規則では、このリクエストは許可されていません。",
        "If you think they should, ask the people who run this site.":
            "許可されるべきだと思う場合は、このサイトの管理者に問い合わせてください。",
        "This page may not connect here":
            "このページはここへ接続できません",
        "A page of another site tried to connect here with your session, and was not let in.":
            "別のサイトのページが、あなたのセッションでここへ接続しようとしたため、拒否しました。",
        "If it is a page of yours, it must come from this site's own address.":
            "ご自身のページであれば、このサイト自身のアドレスから開く必要があります。",
        "There is nothing here":
            "ここには何もありません",
        "This address does not lead to a page.":
            "このアドレスに対応するページはありません。",
        "Check the address for a slip, or go to the start page.":
            "アドレスに誤りがないか確認するか、トップページへ移動してください。",
        "That cannot be done here":
            "ここではその操作はできません",
        "This address does not take that kind of request.":
            "このアドレスは、その種類のリクエストを受け付けません。",
        "Go back and follow the links or buttons of the page.":
            "戻って、ページのリンクやボタンをお使いください。",
        "The request took too long to arrive":
            "リクエストの到着に時間がかかりすぎました",
        "Your browser or program did not finish sending in time.":
            "ブラウザーまたはプログラムが時間内に送信を終えませんでした。",
        "Check your connection and try again.":
            "接続を確認して、もう一度お試しください。",
        "That is too large":
            "大きすぎます",
        "What you sent is larger than this site accepts.":
            "送信された内容は、このサイトで受け付けられる大きさを超えています。",
        "Send something smaller, or ask the people who run this site to raise the limit.":
            "より小さいものを送るか、このサイトの管理者に上限の引き上げを依頼してください。",
        "That address is too long":
            "そのアドレスは長すぎます",
        "The address is longer than this site accepts.":
            "アドレスが、このサイトで受け付けられる長さを超えています。",
        "Your program expects something that this site does not offer.":
            "プログラムが、このサイトにない機能を求めています。",
        "Send the request without the Expect header.":
            "Expect ヘッダーなしでリクエストを送ってください。",
        "This is not the right place":
            "ここは正しい場所ではありません",
        "The name in the address does not belong to this site.":
            "アドレスの名前は、このサイトのものではありません。",
        "Check the address for a slip.":
            "アドレスに誤りがないか確認してください。",
        "That was a lot at once":
            "一度に多すぎました",
        "There were too many requests in a short time.":
            "短い時間にリクエストが多すぎました。",
        "Wait a minute, then try again.":
            "一分ほど待ってから、もう一度お試しください。",
        "Your browser sent too much at once":
            "ブラウザーが一度に多くを送りすぎました",
        "The request's headers are larger than this site accepts. Most often that is old cookies.":
            "リクエストのヘッダーが、このサイトで受け付けられる大きさを超えています。多くの場合、古い Cookie が原因です。",
        "Delete the cookies of this site and try again.":
            "このサイトの Cookie を削除して、もう一度お試しください。",
        "That is not supported":
            "対応していません",
        "The request uses a feature that this site does not support.":
            "リクエストが、このサイトで対応していない機能を使っています。",
        "Temporarily unavailable":
            "一時的にご利用いただけません",
        "This site keeps a record of sign-ins and access, and it cannot write that record at the moment.":
            "このサイトはサインインとアクセスを記録していますが、現在その記録を書き込めません。",
        "The site is busy or restarting":
            "サイトが混み合っているか、再起動中です",
        "The site cannot take the request right now.":
            "サイトは現在リクエストを受け付けられません。",
        "Try again in a minute.":
            "一分ほど待ってからもう一度お試しください。",
        "The app is busy":
            "アプリが混み合っています",
        "The app behind this page has as many requests as it can take.":
            "このページの後ろにあるアプリは、処理できる数のリクエストをすでに受け付けています。",
        "The app takes too long":
            "アプリの応答に時間がかかりすぎています",
        "The app behind this page did not answer in time. It may still be working on what you sent.":
            "このページの後ろにあるアプリが時間内に応答しませんでした。送信された内容をまだ処理している可能性があります。",
        "Wait a minute before you try again.":
            "もう一度試す前に、一分ほどお待ちください。",
        "Your program speaks a version of HTTP that this site does not.":
            "プログラムが、このサイトで対応していないバージョンの HTTP を使っています。",
        "Use HTTP/1.1 or HTTP/2.":
            "HTTP/1.1 または HTTP/2 をお使いください。",
        "The request went in a circle":
            "リクエストが一周してしまいました",
        "The request came back to this gateway: the app's address leads here again.":
            "リクエストがこのゲートウェイに戻ってきました。アプリのアドレスが再びここを指しています。",
        "Tell the people who run this site: an upstream points at the gateway itself.":
            "このサイトの管理者に知らせてください。アップストリームがゲートウェイ自身を指しています。",
        "Sign in":
            "サインイン",
        "to continue to {site}":
            "{site} へ進みます",
        "Continue with {provider}":
            "{provider} で続ける",
        "Last used":
            "前回使用",
        "No way to sign in is switched on here at the moment. Please tell the people who run this site.":
            "現在、ここで有効なサインイン方法がありません。このサイトの管理者に知らせてください。",
        "Your session has ended. Sign in to go on where you were.":
            "セッションが終了しました。サインインすると、続きから始められます。",
        "This page asks for a recent sign-in. Please sign in once more.":
            "このページには最近のサインインが必要です。もう一度サインインしてください。",
        "That sign-in took too long or was already used. Please start again.":
            "そのサインインは時間がかかりすぎたか、すでに使われています。最初からやり直してください。",
        "That provider cannot be reached right now. Try again in a moment, or choose another one.":
            "そのプロバイダーには現在接続できません。しばらくしてからもう一度試すか、別のものを選んでください。",
        "What you entered has not been sent. Your browser's Back button brings it back: sign in first, then send it again.":
            "入力した内容は送信されていません。ブラウザーの「戻る」ボタンで入力内容に戻れます。先にサインインしてから、もう一度送信してください。",
        "Sign out?":
            "サインアウトしますか？",
        "Sign out":
            "サインアウト",
        "You are signed in to {site}.":
            "{site} にサインインしています。",
        "You are signed in to {site} as {name}.":
            "{site} に {name} としてサインインしています。",
        "Stay signed in":
            "サインインしたままにする",
        "You are signed out":
            "サインアウトしました",
        "You are not signed in":
            "サインインしていません",
        "Your session at {site} has ended.":
            "{site} でのセッションは終了しました。",
        "You may still be signed in at {provider}. On a computer that others use, sign out there too.":
            "{provider} にはまだサインインしている可能性があります。共用のコンピューターでは、そちらでもサインアウトしてください。",
        "There is no session to end at {site}.":
            "{site} に終了するセッションはありません。",
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
        "Request":
            "リクエスト",
        "Provider":
            "プロバイダー",
        "If you ask for help, please pass on the code and the request number above.":
            "問い合わせの際は、上のコードとリクエスト番号をお伝えください。",
    ]
}
