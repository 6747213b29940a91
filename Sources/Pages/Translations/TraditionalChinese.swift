extension Translations {
    static let traditionalChinese: [String: String] = [
        "You do not have access to this page":
            "您沒有此頁面的存取權",
        "You are signed in, but your account is not allowed to open this page.":
            "您已登入，但您的帳號無權開啟此頁面。",
        "Use another account, or ask the site's administrator for access.":
            "請改用其他帳號，或向此網站的管理者申請存取權。",
        "Please sign in":
            "請登入",
        "You need to sign in to open this page.":
            "您必須先登入才能開啟此頁面。",
        "After you sign in, you return to this page.":
            "登入後會回到此頁面。",
        "Please sign in again":
            "請重新登入",
        "A stronger sign-in is required":
            "需要更安全的登入方式",
        "This page requires a stronger sign-in than the one you made.":
            "此頁面要求比您目前更安全的登入方式。",
        "Sign in again with a stronger method, such as a security key.":
            "請改用更安全的方式重新登入，例如安全金鑰。",
        "This page requires a recent sign-in, and your last one is too old.":
            "此頁面要求您最近登入過，但您上次登入的時間已太久。",
        "Sign in again to continue.":
            "請重新登入以繼續。",
        "Your session has ended":
            "您的工作階段已結束",
        "A request from another site was blocked":
            "已封鎖來自其他網站的要求",
        "A page of another site, or a program, tried to change something here with your session. Nothing was changed.":
            "其他網站的頁面或某個程式試圖以您的工作階段變更這裡的內容。沒有任何變更。",
        "If you intended this, open this site and repeat the step there.":
            "如果這是您的操作，請開啟此網站並在那裡重做該步驟。",
        "You were inactive for too long, or you signed out in another window.":
            "您閒置太久，或已在另一個視窗登出。",
        "Sign in again to continue where you left off.":
            "請重新登入，從剛才的地方繼續。",
        "A second factor is required":
            "需要第二驗證要素",
        "This page requires a second factor, and you signed in without one.":
            "此頁面需要第二驗證要素，但您登入時並未使用。",
        "Sign in again and confirm with your second factor.":
            "請重新登入，並以第二驗證要素確認。",
        "The sign-in was not allowed":
            "登入未獲允許",
        "The provider refused the sign-in, or it was cancelled there.":
            "提供者拒絕了這次登入，或登入已在那裡取消。",
        "If you cancelled by mistake, sign in again. Otherwise your account may not have access.":
            "如果是不小心取消，請重新登入。否則您的帳號可能沒有存取權。",
        "The sign-in could not be completed":
            "無法完成登入",
        "The sign-in was started in another browser, or its cookie is missing.":
            "登入是在另一個瀏覽器中開始的，或缺少其 Cookie。",
        "Sign in again. If this happens again, allow cookies for this site.":
            "請重新登入。如果再次發生，請允許此網站的 Cookie。",
        "The sign-in took too long, or it was already completed.":
            "登入花費的時間太長，或已經完成。",
        "Sign in again.":
            "請重新登入。",
        "The response came from a different provider than the one you chose, so it was rejected.":
            "回應來自您所選以外的提供者，因此遭到拒絕。",
        "Sign in again. If this happens again, tell the site's administrator.":
            "請重新登入。如果再次發生，請告知此網站的管理者。",
        "The provider needs your input":
            "提供者需要您的操作",
        "The provider could not sign you in without showing you a page.":
            "提供者必須顯示頁面才能讓您登入。",
        "Sign in again and follow the provider's instructions.":
            "請重新登入，並依照提供者的指示操作。",
        "The provider's response was incomplete or contradictory.":
            "提供者的回應不完整或互相矛盾。",
        "This link does not work":
            "此連結無法使用",
        "A part of the address is missing, repeated or not allowed.":
            "網址中有部分缺少、重複或不被允許。",
        "Go to the start page and try from there.":
            "請前往首頁，再從那裡試試。",
        "This form has expired":
            "此表單已過期",
        "The form was opened too long ago, or it belongs to another session. Nothing was changed.":
            "表單開啟太久，或屬於另一個工作階段。沒有任何變更。",
        "Open the page again and repeat the step.":
            "請重新開啟頁面並重做該步驟。",
        "Unknown provider":
            "未知的提供者",
        "The provider in this address is not configured on this site, or it is disabled.":
            "此網址中的提供者未在此網站設定，或已停用。",
        "Choose one of the providers of this site.":
            "請選擇此網站的其中一個提供者。",
        "The provider could not sign you in":
            "提供者無法讓您登入",
        "The provider returned an error.":
            "提供者傳回了錯誤。",
        "Try again in a moment. If it still fails, tell the site's administrator.":
            "請稍後再試。如果仍然失敗，請告知此網站的管理者。",
        "The provider's response failed verification":
            "提供者的回應未通過驗證",
        "The information that the provider sent about you failed a security check, so it was rejected.":
            "提供者傳來的您的資料未通過安全檢查，因此遭到拒絕。",
        "Try again. If it still fails, tell the site's administrator.":
            "請再試一次。如果仍然失敗，請告知此網站的管理者。",
        "The provider confirmed the sign-in, but this site cannot use its response.":
            "提供者確認了登入，但此網站無法使用其回應。",
        "The provider did not send usable information about your account.":
            "提供者未傳送可用的帳號資料。",
        "Two responses of the provider name different accounts, so both were rejected.":
            "提供者的兩份回應指向不同的帳號，因此都遭到拒絕。",
        "The provider cannot be reached":
            "無法連線到提供者",
        "This site could not connect to the provider.":
            "此網站無法連線到提供者。",
        "Try again in a minute. Your account is not affected.":
            "請一分鐘後再試。您的帳號不受影響。",
        "The provider takes too long":
            "提供者回應太久",
        "The provider did not respond in time.":
            "提供者未及時回應。",
        "Sessions are unavailable":
            "目前無法使用工作階段",
        "The sign-out failed":
            "登出未成功",
        "This site could not record that you signed out.":
            "此網站無法記錄您已登出。",
        "Try again in a minute. On a shared computer, close the browser.":
            "請一分鐘後再試。若使用共用電腦，請關閉瀏覽器。",
        "This site cannot reach its session store.":
            "此網站無法存取其工作階段儲存區。",
        "Try again in a minute. You have not been signed out.":
            "請一分鐘後再試。您並未被登出。",
        "The token was rejected":
            "權杖遭到拒絕",
        "The token is malformed, expired, issued for another site, or of a type that is not accepted here.":
            "權杖格式錯誤、已過期、發給其他網站，或屬於此處不接受的類型。",
        "Get a new token for this site and send it in the Authorization header.":
            "請為此網站取得新的權杖，並放在 Authorization 標頭中傳送。",
        "The token lacks a scope":
            "權杖缺少範圍",
        "The token is valid, but it lacks a scope that is required here.":
            "權杖有效，但缺少此處需要的範圍。",
        "Ask the provider for a token with the scopes of this API.":
            "請向提供者要求具有此 API 範圍的權杖。",
        "The logout token was rejected":
            "登出權杖遭到拒絕",
        "The logout token is malformed, expired, already used or issued for another site.":
            "登出權杖格式錯誤、已過期、已使用過，或發給其他網站。",
        "Send a new logout token.":
            "請傳送新的登出權杖。",
        "The request was not understood":
            "無法理解要求",
        "Your browser or program sent a request that this site does not accept.":
            "您的瀏覽器或程式送出了此網站不接受的要求。",
        "Check the address, or go to the start page.":
            "請檢查網址，或前往首頁。",
        "The app cannot be reached":
            "無法連線到應用程式",
        "The app behind this page did not send a usable response.":
            "此頁面背後的應用程式沒有傳回可用的回應。",
        "Try again in a minute. If it still fails, tell the site's administrator.":
            "請一分鐘後再試。如果仍然失敗，請告知此網站的管理者。",
        "Something went wrong":
            "發生錯誤",
        "An internal error occurred in the gateway. You did not cause it.":
            "閘道發生內部錯誤，並非您的操作所致。",
        "The rules of this site do not allow this request.":
            "此網站的規則不允許這項要求。",
        "If you need access, ask the site's administrator.":
            "如果您需要存取權，請洽此網站的管理者。",
        "This page is not allowed to connect":
            "不允許此頁面連線",
        "A page of another site tried to connect here with your session. The connection was refused.":
            "其他網站的頁面試圖以您的工作階段連線到這裡。連線已遭拒絕。",
        "If the page is yours, serve it from this site's address.":
            "如果那是您的頁面，請從此網站的網址提供。",
        "Page not found":
            "找不到頁面",
        "There is no page at this address.":
            "此網址沒有頁面。",
        "Check the address for typing errors, or go to the start page.":
            "請檢查網址是否有誤，或前往首頁。",
        "This request is not allowed here":
            "這裡不允許此要求",
        "This address does not accept this kind of request.":
            "此網址不接受這種要求。",
        "Go back and use the links or buttons of the page.":
            "請返回並使用頁面上的連結或按鈕。",
        "The request took too long to arrive":
            "要求送達的時間太長",
        "Your browser or program did not finish sending the request in time.":
            "您的瀏覽器或程式未及時送完要求。",
        "Check your connection and try again.":
            "請檢查您的連線，然後再試一次。",
        "The request is too large":
            "要求太大",
        "You sent more data than this site accepts.":
            "您送出的資料超過此網站接受的大小。",
        "Send less data, or ask the site's administrator to raise the limit.":
            "請減少送出的資料，或請此網站的管理者提高上限。",
        "The address is too long":
            "網址太長",
        "The address is longer than this site accepts.":
            "網址超過此網站接受的長度。",
        "Your program expects a feature that this site does not offer.":
            "您的程式需要此網站未提供的功能。",
        "Send the request without the Expect header.":
            "請送出不含 Expect 標頭的要求。",
        "Wrong host name":
            "主機名稱不正確",
        "The host name in the address does not belong to this site.":
            "網址中的主機名稱不屬於此網站。",
        "Check the address for typing errors.":
            "請檢查網址是否有誤。",
        "Too many requests":
            "要求過多",
        "There were too many requests in a short time.":
            "短時間內有太多要求。",
        "Wait a minute, then try again.":
            "請等一分鐘，然後再試。",
        "The headers of the request are too large":
            "要求的標頭太大",
        "Your browser sent larger headers than this site accepts. Old cookies are the usual cause.":
            "您的瀏覽器送出的標頭超過此網站接受的大小，通常是舊的 Cookie 造成的。",
        "Delete the cookies of this site and try again.":
            "請刪除此網站的 Cookie，然後再試一次。",
        "This request is not supported":
            "不支援此要求",
        "The request uses a feature that this site does not support.":
            "要求使用了此網站不支援的功能。",
        "Temporarily unavailable":
            "暫時無法使用",
        "This site records sign-ins and access, and it cannot write that record right now.":
            "此網站會記錄登入與存取，但目前無法寫入這些記錄。",
        "The site is busy or restarting":
            "網站忙碌中或正在重新啟動",
        "The site cannot process the request right now.":
            "網站目前無法處理此要求。",
        "Try again in a minute.":
            "請一分鐘後再試。",
        "The app is busy":
            "應用程式忙碌中",
        "The app behind this page is handling as many requests as it can.":
            "此頁面背後的應用程式已達可處理的要求數量上限。",
        "The app takes too long":
            "應用程式回應太久",
        "The app behind this page did not respond in time. It may still be processing your request.":
            "此頁面背後的應用程式未及時回應。它可能仍在處理您的要求。",
        "Wait a minute before you try again.":
            "請等一分鐘再試。",
        "Your program uses an HTTP version that this site does not support.":
            "您的程式使用了此網站不支援的 HTTP 版本。",
        "Use HTTP/1.1 or HTTP/2.":
            "請使用 HTTP/1.1 或 HTTP/2。",
        "The request went in a loop":
            "要求形成迴圈",
        "The request came back to the gateway, because the app's address points to the gateway.":
            "要求回到了閘道，因為應用程式的網址指向閘道。",
        "Tell the site's administrator that an upstream points to the gateway itself.":
            "請告知此網站的管理者：有一個上游指向閘道本身。",
        "Sign in":
            "登入",
        "to continue to {site}":
            "以繼續前往 {site}",
        "Sign in with {provider}":
            "使用 {provider} 登入",
        "Last used":
            "上次使用",
        "No provider is enabled on this site. Please tell the site's administrator.":
            "此網站未啟用任何提供者。請告知此網站的管理者。",
        "Your session has ended. Sign in to continue where you left off.":
            "您的工作階段已結束。請登入，從剛才的地方繼續。",
        "This page requires a recent sign-in. Please sign in again.":
            "此頁面要求您最近登入過。請重新登入。",
        "The sign-in took too long, or it was already used. Please sign in again.":
            "登入花費的時間太長，或已經使用過。請重新登入。",
        "This provider cannot be reached right now. Try again in a moment, or choose another provider.":
            "目前無法連線到該提供者。請稍後再試，或選擇其他提供者。",
        "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again.":
            "您輸入的內容尚未送出。請先登入，再用瀏覽器的「上一頁」按鈕回到表單並重新送出。",
        "Sign out?":
            "要登出嗎？",
        "Sign out":
            "登出",
        "You are signed in.":
            "您已登入。",
        "You are signed in as {name}.":
            "您已以 {name} 的身分登入。",
        "Stay signed in":
            "保持登入",
        "You are signed out":
            "您已登出",
        "You are not signed in":
            "您尚未登入",
        "Your session has ended.":
            "您的工作階段已結束。",
        "You may still be signed in to {provider}. On a shared computer, sign out there too.":
            "您可能仍登入 {provider}。在共用電腦上，也請在那裡登出。",
        "There is no session to end.":
            "沒有可結束的工作階段。",
        "Sign in again":
            "重新登入",
        "Use another account":
            "使用其他帳號",
        "Try again":
            "再試一次",
        "Go to the start page":
            "前往首頁",
        "Code":
            "代碼",
        "Status":
            "狀態",
        "Request ID":
            "要求編號",
        "Provider":
            "提供者",
        "If you ask for help, include the code and the request ID above.":
            "尋求協助時，請提供上方的代碼與要求編號。",
        "Help":
            "說明",
        "Privacy":
            "隱私權",
        "Signed in as":
            "登入帳號",
        "By this site's clock, the provider's response expired {seconds} seconds ago. The clock may be wrong.":
            "依此網站的時鐘，提供者的回應已在 {seconds} 秒前過期。時鐘可能不準。",
        "By this site's clock, the provider's response is {seconds} seconds old. The clock may be wrong.":
            "依此網站的時鐘，提供者的回應是 {seconds} 秒前發出的。時鐘可能不準。",
        "By this site's clock, the provider's response is from {seconds} seconds in the future. The clock may be wrong.":
            "依此網站的時鐘，提供者的回應來自 {seconds} 秒後的未來。時鐘可能不準。",
        "This way of signing in does not work here":
            "此登入方式在這裡無法使用",
        "Your browser or program tried to sign in to the app with NTLM or Negotiate, which need a connection of their own. It uses HTTP/2, or a proxy shares its connection among users.":
            "您的瀏覽器或程式嘗試以 NTLM 或 Negotiate 登入應用程式，這兩種方式需要專用的連線。但連線使用 HTTP/2，或有代理伺服器讓多位使用者共用連線。",
        "Use HTTP/1.1 without a proxy in between, or tell the site's administrator.":
            "請使用 HTTP/1.1 且不經過代理伺服器，或通知網站管理員。",
    ]
}
