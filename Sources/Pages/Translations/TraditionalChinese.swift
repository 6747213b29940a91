extension Translations {
    static let traditionalChinese: [String: String] = [
        "This page is not open to you":
            "您無法開啟此頁面",
        "You are signed in, but your account is not on the list for this page.":
            "您已登入，但您的帳號不在此頁面的名單上。",
        "If you have another account, use that one. Otherwise ask the people who run this site for access.":
            "如果您有其他帳號，請改用該帳號。否則請向此網站的管理者申請存取權。",
        "Please sign in":
            "請登入",
        "This page is for people who are signed in.":
            "此頁面僅供已登入的人使用。",
        "Sign in, and you will come straight back.":
            "登入後會直接回到這裡。",
        "Please sign in once more":
            "請再登入一次",
        "This page asks for a recent sign-in, and yours was a while ago.":
            "此頁面需要最近的登入，而您的登入已有一段時間。",
        "Sign in again to go on. Nothing else has changed.":
            "請重新登入以繼續。其他一切都沒有改變。",
        "Your session has ended":
            "您的工作階段已結束",
        "This did not come from here":
            "這不是從這裡發出的",
        "Another site's page, or a program, tried to change something here with your session. Nothing was changed.":
            "其他網站的頁面或某個程式試圖以您的工作階段變更這裡的內容。沒有任何變更。",
        "If it was you, open this site and repeat the step there.":
            "如果是您本人，請開啟此網站並在那裡重複該步驟。",
        "You were away for a while, or signed out in another window.":
            "您離開了一段時間，或在另一個視窗登出了。",
        "Sign in again to go on where you were.":
            "請重新登入，從剛才的地方繼續。",
        "One more step is needed":
            "還需要一個步驟",
        "This page asks for a sign-in with a second factor, and yours had none.":
            "此頁面需要以第二驗證要素登入，而您的登入沒有使用。",
        "Sign in again and confirm with your second factor.":
            "請重新登入，並以第二驗證要素確認。",
        "The sign-in was not allowed":
            "登入未獲允許",
        "The provider did not let this sign-in through, or it was cancelled there.":
            "提供者未讓這次登入通過，或已在那裡取消。",
        "If you cancelled by mistake, sign in again. If not, your account may lack access.":
            "如果是不小心取消，請重新登入。否則您的帳號可能沒有存取權。",
        "This sign-in cannot be finished":
            "無法完成這次登入",
        "It was not started in this browser, or its cookie is gone.":
            "它不是在這個瀏覽器中開始的，或其 Cookie 已不存在。",
        "Start again from here. If it keeps happening, allow cookies for this site.":
            "請從這裡重新開始。如果一再發生，請允許此網站的 Cookie。",
        "It took too long, or it was finished already.":
            "花費的時間太長，或已經完成過。",
        "Start again from here.":
            "請從這裡重新開始。",
        "The answer came from another provider than the one you went to, so it was not accepted.":
            "回覆來自您所選以外的提供者，因此未被接受。",
        "Start again from here. If it happens again, tell the people who run this site.":
            "請從這裡重新開始。如果再次發生，請告知此網站的管理者。",
        "The provider wants to ask you something":
            "提供者想要詢問您",
        "The provider could not sign you in without showing you a page of its own.":
            "提供者若不顯示自己的頁面，就無法讓您登入。",
        "Sign in again and follow what the provider asks.":
            "請重新登入，並依提供者的要求操作。",
        "The answer that came back from the provider was incomplete or contradictory.":
            "提供者傳回的回覆不完整或互相矛盾。",
        "That link does not work":
            "該連結無法使用",
        "Something in the address is missing, doubled or not allowed.":
            "網址中有部分缺少、重複或不被允許。",
        "Go to the start page and try from there.":
            "請前往首頁，再從那裡試試。",
        "That form is out of date":
            "該表單已過期",
        "The page you sent was opened too long ago or belongs to another session. Nothing was changed.":
            "您送出的頁面開啟太久，或屬於另一個工作階段。沒有任何變更。",
        "Open the page again and repeat the step.":
            "請重新開啟頁面並重做該步驟。",
        "There is no such sign-in here":
            "這裡沒有這種登入方式",
        "The provider in this address is not set up on this site, or is switched off.":
            "此網址中的提供者未在此網站設定，或已停用。",
        "Choose one of the ways to sign in that this site offers.":
            "請選擇此網站提供的登入方式之一。",
        "The provider could not sign you in":
            "提供者無法讓您登入",
        "The provider answered with an error of its own.":
            "提供者以其自身的錯誤回應。",
        "Try again in a moment. If it stays like this, the people who run this site need to look at it.":
            "請稍後再試。如果仍然如此，需要此網站的管理者處理。",
        "The provider's answer did not check out":
            "提供者的回覆未通過檢查",
        "What the provider said about you failed a security check, so it was not accepted.":
            "提供者所說關於您的內容未通過安全檢查，因此未被接受。",
        "Try again. If it stays like this, the people who run this site need to look at it.":
            "請再試一次。如果仍然如此，需要此網站的管理者處理。",
        "The provider confirmed the sign-in in a form that this site cannot use.":
            "提供者以此網站無法使用的形式確認了登入。",
        "The provider did not say in a usable form who you are.":
            "提供者未以可用的形式說明您是誰。",
        "Two answers of the provider were about different people, so neither was accepted.":
            "提供者的兩份回覆屬於不同的人，因此都未被接受。",
        "The provider cannot be reached":
            "無法連線到提供者",
        "This site could not talk to the provider that signs you in.":
            "此網站無法與為您登入的提供者通訊。",
        "Try again in a minute. Your account is fine.":
            "請一分鐘後再試。您的帳號沒有問題。",
        "The provider takes too long":
            "提供者回應太久",
        "The provider that signs you in did not answer in time.":
            "為您登入的提供者未及時回應。",
        "Sessions are not available":
            "目前無法使用工作階段",
        "The sign-out did not work":
            "登出未成功",
        "This site could not record that you signed out.":
            "此網站無法記錄您已登出。",
        "Try again in a minute. On a shared computer, close the browser in any case.":
            "請一分鐘後再試一次。如果使用共用電腦，請務必關閉瀏覽器。",
        "This site cannot reach the place where it keeps sessions.":
            "此網站無法連線到存放工作階段的地方。",
        "Try again in a minute. You have not been signed out.":
            "請一分鐘後再試。您並未被登出。",
        "That token was refused":
            "該權杖遭到拒絕",
        "The token is malformed, expired, not meant for this site, or of a kind that is not taken here.":
            "權杖格式錯誤、已過期、不是發給本網站的，或屬於此處不接受的種類。",
        "Get a fresh token for this site and send it in the Authorization header.":
            "請為本網站取得新的權杖，並放在 Authorization 標頭中傳送。",
        "That token allows too little":
            "該權杖的權限不足",
        "The token is good, but it lacks a scope that is needed here.":
            "權杖有效，但缺少此處需要的範圍。",
        "Ask the provider for a token with the scopes of this API.":
            "請向提供者要求具有此 API 範圍的權杖。",
        "That logout token was refused":
            "該登出權杖遭到拒絕",
        "The logout token is malformed, expired, used before or not meant for this site.":
            "登出權杖格式錯誤、已過期、已使用過，或不是給此網站的。",
        "Send a fresh logout token.":
            "請傳送新的登出權杖。",
        "The request was not understood":
            "無法理解此要求",
        "Your browser or program sent something that this site does not accept.":
            "您的瀏覽器或程式送出了此網站不接受的內容。",
        "Check the address, or go to the start page.":
            "請檢查網址，或前往首頁。",
        "The app cannot be reached":
            "無法連線到應用程式",
        "You got this far, but the app behind this page did not give a usable answer.":
            "您已到達這裡，但此頁面背後的應用程式沒有給出可用的回應。",
        "Try again in a minute. If it stays like this, tell the people who run this site.":
            "請一分鐘後再試。如果仍然如此，請告知此網站的管理者。",
        "Something went wrong here":
            "這裡出了問題",
        "The gateway ran into a fault of its own. It is not something you did.":
            "閘道本身發生錯誤，並非您的操作所致。",
        "The rules of this site do not allow this request.":
            "此網站的規則不允許這項要求。",
        "If you think they should, ask the people who run this site.":
            "如果您認為應該允許，請詢問此網站的管理者。",
        "This page may not connect here":
            "此頁面不可連線到這裡",
        "A page of another site tried to connect here with your session, and was not let in.":
            "其他網站的頁面試圖以您的工作階段連線到這裡，已被拒絕。",
        "If it is a page of yours, it must come from this site's own address.":
            "如果那是您的頁面，它必須來自此網站自己的網址。",
        "There is nothing here":
            "這裡什麼都沒有",
        "This address does not lead to a page.":
            "此網址不通往任何頁面。",
        "Check the address for a slip, or go to the start page.":
            "請檢查網址是否有誤，或前往首頁。",
        "That cannot be done here":
            "這裡無法這樣做",
        "This address does not take that kind of request.":
            "此網址不接受這種要求。",
        "Go back and follow the links or buttons of the page.":
            "請返回並使用頁面上的連結或按鈕。",
        "The request took too long to arrive":
            "要求送達的時間太長",
        "Your browser or program did not finish sending in time.":
            "您的瀏覽器或程式未及時傳送完畢。",
        "Check your connection and try again.":
            "請檢查您的連線，然後再試一次。",
        "That is too large":
            "內容太大",
        "What you sent is larger than this site accepts.":
            "您送出的內容超過此網站接受的大小。",
        "Send something smaller, or ask the people who run this site to raise the limit.":
            "請送出較小的內容，或請此網站的管理者提高上限。",
        "That address is too long":
            "該網址太長",
        "The address is longer than this site accepts.":
            "該網址超過此網站接受的長度。",
        "Your program expects something that this site does not offer.":
            "您的程式需要此網站未提供的功能。",
        "Send the request without the Expect header.":
            "請送出不含 Expect 標頭的要求。",
        "This is not the right place":
            "這裡不是正確的地方",
        "The name in the address does not belong to this site.":
            "網址中的名稱不屬於此網站。",
        "Check the address for a slip.":
            "請檢查網址是否有誤。",
        "That was a lot at once":
            "一次太多了",
        "There were too many requests in a short time.":
            "短時間內有太多要求。",
        "Wait a minute, then try again.":
            "請等一分鐘，然後再試。",
        "Your browser sent too much at once":
            "您的瀏覽器一次送出太多內容",
        "The request's headers are larger than this site accepts. Most often that is old cookies.":
            "要求的標頭超過此網站接受的大小，多半是因為舊的 Cookie。",
        "Delete the cookies of this site and try again.":
            "請刪除此網站的 Cookie，然後再試一次。",
        "That is not supported":
            "不支援此項目",
        "The request uses a feature that this site does not support.":
            "該要求使用了此網站不支援的功能。",
        "Temporarily unavailable":
            "暫時無法使用",
        "This site keeps a record of sign-ins and access, and it cannot write that record at the moment.":
            "本網站會記錄登入與存取情況，但目前無法寫入這些記錄。",
        "The site is busy or restarting":
            "網站忙碌中或正在重新啟動",
        "The site cannot take the request right now.":
            "網站目前無法接受此要求。",
        "Try again in a minute.":
            "請一分鐘後再試。",
        "The app is busy":
            "應用程式忙碌中",
        "The app behind this page has as many requests as it can take.":
            "此頁面背後的應用程式已達可處理的要求數量上限。",
        "The app takes too long":
            "應用程式回應太久",
        "The app behind this page did not answer in time. It may still be working on what you sent.":
            "此頁面背後的應用程式未及時回應。它可能仍在處理您送出的內容。",
        "Wait a minute before you try again.":
            "請等一分鐘再試。",
        "Your program speaks a version of HTTP that this site does not.":
            "您的程式使用了此網站不支援的 HTTP 版本。",
        "Use HTTP/1.1 or HTTP/2.":
            "請使用 HTTP/1.1 或 HTTP/2。",
        "The request went in a circle":
            "要求繞了一圈",
        "The request came back to this gateway: the app's address leads here again.":
            "要求又回到了這個閘道：應用程式的位址又通往這裡。",
        "Tell the people who run this site: an upstream points at the gateway itself.":
            "請告知此網站的管理者：有一個上游指向閘道本身。",
        "Sign in":
            "登入",
        "to continue to {site}":
            "以繼續前往 {site}",
        "Continue with {provider}":
            "使用 {provider} 繼續",
        "Last used":
            "上次使用",
        "No way to sign in is switched on here at the moment. Please tell the people who run this site.":
            "目前這裡沒有啟用任何登入方式。請告知此網站的管理者。",
        "Your session has ended. Sign in to go on where you were.":
            "您的工作階段已結束。請登入，從剛才的地方繼續。",
        "This page asks for a recent sign-in. Please sign in once more.":
            "此頁面需要最近的登入。請再登入一次。",
        "That sign-in took too long or was already used. Please start again.":
            "那次登入花費太久或已使用過。請重新開始。",
        "That provider cannot be reached right now. Try again in a moment, or choose another one.":
            "目前無法連線到該提供者。請稍後再試，或選擇其他提供者。",
        "What you entered has not been sent. Your browser's Back button brings it back: sign in first, then send it again.":
            "您輸入的內容尚未送出。按瀏覽器的「上一頁」即可找回：請先登入，再重新送出。",
        "Sign out?":
            "要登出嗎？",
        "Sign out":
            "登出",
        "You are signed in to {site}.":
            "您已登入 {site}。",
        "You are signed in to {site} as {name}.":
            "您已以 {name} 的身分登入 {site}。",
        "Stay signed in":
            "保持登入",
        "You are signed out":
            "您已登出",
        "You are not signed in":
            "您尚未登入",
        "Your session at {site} has ended.":
            "您在 {site} 的工作階段已結束。",
        "You may still be signed in at {provider}. On a computer that others use, sign out there too.":
            "您可能仍在 {provider} 登入中。在共用的電腦上，也請在那裡登出。",
        "There is no session to end at {site}.":
            "在 {site} 沒有可結束的工作階段。",
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
        "Request":
            "要求",
        "Provider":
            "提供者",
        "If you ask for help, please pass on the code and the request number above.":
            "如需協助，請附上上方的代碼與要求編號。",
    ]
}
