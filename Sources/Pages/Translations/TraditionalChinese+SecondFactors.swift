extension Translations {
    static let traditionalChineseSecondFactors: [String: String] = [
        "Confirm your sign-in":
            "確認您的登入",
        "Enter the 6-digit code that your authenticator app shows for {site}.":
            "請輸入驗證器應用程式為 {site} 顯示的 6 位數驗證碼。",
        "Use the passkey or security key that you added to your account.":
            "請使用您已新增至帳號的密碼金鑰或安全金鑰。",
        "Enter the 6-digit code that we sent to {phone}.":
            "請輸入我們傳送至 {phone} 的 6 位數驗證碼。",
        "We send a code to {phone}.":
            "我們會將驗證碼傳送至 {phone}。",
        "Enter one of your recovery codes. Each code works once.":
            "請輸入您的其中一組復原碼。每組復原碼只能使用一次。",
        "6-digit code":
            "6 位數驗證碼",
        "Recovery code":
            "復原碼",
        "Send the message":
            "傳送簡訊",
        "Use passkey":
            "使用密碼金鑰",
        "Confirm":
            "確認",
        "Send another message":
            "再傳送一則簡訊",
        "Do not ask again on this browser for {days} days":
            "{days} 天內不要在此瀏覽器再次詢問",
        "If you cannot use any of your second factors, ask the site's administrator.":
            "如果您無法使用任何第二驗證要素，請聯絡網站的管理者。",
        "Authenticator app":
            "驗證器應用程式",
        "Passkey or security key":
            "密碼金鑰或安全金鑰",
        "Text message":
            "簡訊",
        "Recovery codes":
            "復原碼",
        "No passkey was added. Try again, or add another kind of second factor.":
            "未新增任何密碼金鑰。請再試一次，或新增其他種類的第二驗證要素。",
        "The passkey was not used. Try again, or use another second factor.":
            "未使用密碼金鑰。請再試一次，或使用其他第二驗證要素。",
        "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.":
            "密碼金鑰需要 JavaScript 和支援的瀏覽器。請新增其他種類的第二驗證要素，或使用其他瀏覽器。",
        "Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.":
            "密碼金鑰需要 JavaScript 和支援的瀏覽器。請使用其他第二驗證要素，或使用其他瀏覽器。",
        "Sign in with a passkey":
            "使用密碼金鑰登入",
        "The passkey was not used. Try again, or sign in another way.":
            "未使用密碼金鑰。請再試一次，或使用其他方式登入。",
        "Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.":
            "密碼金鑰需要 JavaScript 和支援的瀏覽器。請使用其他方式登入，或使用其他瀏覽器。",
        "The passkey was not accepted. Try again, or sign in another way.":
            "密碼金鑰未被接受。請再試一次，或使用其他方式登入。",
        "This passkey is already a second factor of your account.":
            "此密碼金鑰已經是您帳號的第二驗證要素。",
        "With a second factor, a stolen password is not enough to sign in.":
            "有了第二驗證要素，只憑遭竊的密碼無法登入。",
        "The second factor was added.":
            "已新增第二驗證要素。",
        "The second factor was removed.":
            "已移除第二驗證要素。",
        "This site requires a second factor. Add one to continue.":
            "此網站要求第二驗證要素。請新增一項以繼續。",
        "To add or remove second factors, sign in again first.":
            "若要新增或移除第二驗證要素，請先重新登入。",
        "To add a second factor, confirm your e-mail address first.":
            "若要新增第二驗證要素，請先確認您的電子郵件地址。",
        "You use this site without an account. Add a way to sign in before you add a second factor.":
            "您正在使用此網站，但沒有帳號。請先新增登入方式，再新增第二驗證要素。",
        "Continue":
            "繼續",
        "If you remove your last other second factor, the recovery codes are removed, too.":
            "如果您移除最後一項其他的第二驗證要素，復原碼也會一併移除。",
        "Codes left: {count}":
            "剩餘的復原碼：{count}",
        "An app on your phone or computer shows a new code every 30 seconds.":
            "手機或電腦上的應用程式每 30 秒顯示一組新的驗證碼。",
        "Set up an authenticator app":
            "設定驗證器應用程式",
        "Your device asks for your fingerprint, your face or a PIN, or you touch a security key.":
            "您的裝置會要求指紋、臉部或 PIN，或者由您觸碰安全金鑰。",
        "Add a passkey":
            "新增密碼金鑰",
        "Phone number":
            "電話號碼",
        "We send a code to your phone when you sign in.":
            "您登入時，我們會將驗證碼傳送至您的手機。",
        "Ten codes that work once each, for when you cannot use your other second factors.":
            "十組復原碼，每組可使用一次，供您無法使用其他第二驗證要素時使用。",
        "You can create them after you add another second factor.":
            "新增其他第二驗證要素之後，即可建立復原碼。",
        "New codes replace the ones that you have.":
            "新的復原碼會取代您現有的復原碼。",
        "Create new recovery codes":
            "建立新的復原碼",
        "Create recovery codes":
            "建立復原碼",
        "Name (optional)":
            "名稱（選填）",
        "Add a second factor":
            "新增第二驗證要素",
        "With the country code, such as +12025550123.":
            "請包含國碼，例如 +12025550123。",
        "Scan this QR code with an authenticator app.":
            "請用驗證器應用程式掃描此 QR 碼。",
        "Then enter the code that the app shows.":
            "然後輸入應用程式顯示的驗證碼。",
        "QR code with the secret":
            "含有密鑰的 QR 碼",
        "Enter this secret in an authenticator app:":
            "請在驗證器應用程式中輸入此密鑰：",
        "Or enter this secret in the app:":
            "或在應用程式中輸入此密鑰：",
        "Open in an authenticator app":
            "在驗證器應用程式中開啟",
        "Add the app":
            "新增應用程式",
        "Confirm your phone number":
            "確認您的電話號碼",
        "Your browser asks you to create a passkey or to use a security key.":
            "您的瀏覽器會要求您建立密碼金鑰或使用安全金鑰。",
        "Create passkey":
            "建立密碼金鑰",
        "The codes that you had before no longer work.":
            "您先前的復原碼已失效。",
        "Your recovery codes":
            "您的復原碼",
        "Each code works once, when you cannot use your other second factors.":
            "當您無法使用其他第二驗證要素時，每組復原碼可使用一次。",
        "Print this page, or store the codes in a password manager. They are not shown again.":
            "請列印此頁，或將復原碼儲存在密碼管理員中。這些復原碼不會再次顯示。",
        "I have stored them":
            "我已保存",
        "The code is wrong, or it was already used. Enter the current one.":
            "驗證碼錯誤或已使用過。請輸入目前的驗證碼。",
        "The passkey was not accepted. Try again, or use another second factor.":
            "密碼金鑰未被接受。請再試一次，或使用其他第二驗證要素。",
        "The code has expired. Enter a new one.":
            "驗證碼已過期。請輸入新的驗證碼。",
        "Too many text messages were requested. You can request another one in a minute.":
            "要求的簡訊太多了。您可以在一分鐘後再次要求。",
        "Too many text messages were requested. You can request another one in {minutes} minutes.":
            "要求的簡訊太多了。您可以在 {minutes} 分鐘後再次要求。",
        "Enter the number with its country code, such as +12025550123.":
            "請輸入包含國碼的號碼，例如 +12025550123。",
        "This second factor is already in use. Add another one.":
            "此第二驗證要素已在使用中。請新增其他項目。",
        "Your account has as many second factors as it can have. Remove one before you add another.":
            "您帳號的第二驗證要素已達上限。請先移除一項再新增。",
        "This step needs a second factor besides your sign-in.":
            "除了登入之外，此步驟還需要第二驗證要素。",
        "Continue with your second factor.":
            "請使用您的第二驗證要素繼續。",
        "The code is wrong":
            "驗證碼錯誤",
        "The code is wrong, or it was already used.":
            "驗證碼錯誤或已使用過。",
        "Go back and enter the current code.":
            "請返回並輸入目前的驗證碼。",
        "The code has expired":
            "驗證碼已過期",
        "The code is too old, or the step that it belongs to has ended.":
            "驗證碼太舊，或其所屬的步驟已結束。",
        "Sign in again and enter a new code.":
            "請重新登入並輸入新的驗證碼。",
        "This second factor is already in use":
            "此第二驗證要素已在使用中",
        "It is already a second factor of an account on this site. Nothing was changed.":
            "它已經是此網站某個帳號的第二驗證要素。未作任何變更。",
        "Add another second factor.":
            "請新增其他第二驗證要素。",
        "Too many second factors":
            "第二驗證要素過多",
        "Your account has as many second factors as it can have.":
            "您帳號的第二驗證要素已達上限。",
        "Remove one before you add another.":
            "請先移除一項再新增。",
        "This second factor does not exist":
            "此第二驗證要素不存在",
        "Your account has no such second factor. Perhaps you removed it in another window.":
            "您的帳號沒有這項第二驗證要素。您可能已在其他視窗中將它移除。",
        "Look up your second factors on your account page.":
            "請在您的帳號頁面查看您的第二驗證要素。",
        "Add a way to sign in first":
            "請先新增登入方式",
        "An account without a way to sign in cannot have second factors.":
            "沒有登入方式的帳號不能有第二驗證要素。",
        "Add a way to sign in on your account page.":
            "請在您的帳號頁面新增登入方式。",
        "This phone number cannot be used":
            "無法使用此電話號碼",
        "The phone number is incomplete, or it has no country code.":
            "電話號碼不完整或沒有國碼。",
        "Go back and enter the number with its country code.":
            "請返回並輸入包含國碼的號碼。",
        "This is not available":
            "無法使用此操作",
        "This site does not offer this kind of second factor, or your account does not allow this.":
            "此網站不提供這種第二驗證要素，或您的帳號無法使用。",
        "Look at your account page for what you can do.":
            "請在您的帳號頁面查看可用的操作。",
        "A second factor was added to your account at {site}":
            "您在 {site} 的帳號新增了第二驗證要素",
        "Your account at {site} has a new second factor: {factor}.":
            "您在 {site} 的帳號有新的第二驗證要素：{factor}。",
        "If it was not you, remove it now, and check the ways to sign in of your account.":
            "如果不是您，請立即將它移除，並檢查您帳號的登入方式。",
        "A second factor was removed from your account at {site}":
            "您在 {site} 的帳號移除了第二驗證要素",
        "Your account at {site} no longer has this second factor: {factor}.":
            "您在 {site} 的帳號不再有此第二驗證要素：{factor}。",
    ]
}
