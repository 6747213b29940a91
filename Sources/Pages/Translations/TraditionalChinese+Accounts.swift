extension Translations {
    static let traditionalChineseAccounts: [String: String] = [
        "Your password was changed. Sign in with the new one.":
            "您的密碼已變更。請使用新密碼登入。",
        "Your e-mail address is confirmed. You can sign in now.":
            "您的電子郵件地址已確認。您現在可以登入。",
        "Your account was deleted.":
            "您的帳號已刪除。",
        "Continue without an account":
            "不使用帳號繼續",
        "or":
            "或",
        "Go to your account":
            "前往您的帳號",
        "Your e-mail address is confirmed":
            "您的電子郵件地址已確認",
        "Your e-mail address was changed":
            "您的電子郵件地址已變更",
        "Your password was changed":
            "您的密碼已變更",
        "Your account was deleted":
            "您的帳號已刪除",
        "You can use it to sign in, and we can reach you there.":
            "您可以用它登入，我們也可以透過它聯絡您。",
        "From now on, mails go to the new address. Your other sessions have ended.":
            "從現在起，郵件會寄到新地址。您的其他工作階段已結束。",
        "Your other sessions have ended. Sign in there with the new password.":
            "您的其他工作階段已結束。請在那些裝置上使用新密碼登入。",
        "Its ways to sign in and its sessions were deleted, too. The app may still hold data of its own about you.":
            "其登入方式與工作階段也已刪除。應用程式可能仍保有自己的相關資料。",
        "Delete your account?":
            "要刪除您的帳號嗎？",
        "The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone.":
            "帳號、其登入方式與所有工作階段會立即刪除。此動作無法復原。",
        "The app may still hold data of its own about you.":
            "應用程式可能仍保有自己的相關資料。",
        "Delete the account for good":
            "永久刪除帳號",
        "Keep the account":
            "保留帳號",
        "Send the confirmation mail again":
            "再次寄送確認郵件",
        "Added on {date}":
            "新增日期：{date}",
        "Remove":
            "移除",
        "Link {provider}":
            "連結 {provider}",
        "Remove {provider}":
            "移除 {provider}",
        "New password":
            "新密碼",
        "Change password":
            "變更密碼",
        "Set a password":
            "設定密碼",
        "New e-mail address":
            "新的電子郵件地址",
        "Change address":
            "變更地址",
        "Your other sessions end when the password changes.":
            "密碼變更後，您的其他工作階段會結束。",
        "We send a link to the new address. The address changes when you open it, and your other sessions end.":
            "我們會將連結寄到新地址。開啟連結後，地址就會變更，您的其他工作階段也會結束。",
        "Change your e-mail address":
            "變更電子郵件地址",
        "Manage second factors":
            "管理第二驗證要素",
        "Second factors":
            "第二驗證要素",
        "Last used on {date}":
            "上次使用日期：{date}",
        "Sessions":
            "工作階段",
        "Sign out everywhere else":
            "登出其他所有工作階段",
        "Delete account":
            "刪除帳號",
        "Name":
            "名稱",
        "confirmed":
            "已確認",
        "not confirmed":
            "未確認",
        "E-mail address":
            "電子郵件地址",
        "You use this site without an account. Add a way to sign in, so that you can come back from another browser.":
            "您正在不使用帳號的情況下使用此網站。請新增登入方式，以便從其他瀏覽器回來。",
        "User ID":
            "使用者 ID",
        "This is your only way to sign in. Add another one before you remove it.":
            "這是您唯一的登入方式。請先新增其他方式，再移除它。",
        "Add a way to sign in":
            "新增登入方式",
        "Ways to sign in":
            "登入方式",
        "E-mail and password":
            "電子郵件與密碼",
        "You have no second factor. With one, a stolen password is not enough to sign in.":
            "您沒有第二驗證要素。有了它，只憑遭竊的密碼無法登入。",
        "This session":
            "此工作階段",
        "A page asks you for confirmation first.":
            "會先有一個頁面請您確認。",
        "Your account":
            "您的帳號",
        "To change your ways to sign in, your password or your address, sign in again first.":
            "若要變更登入方式、密碼或地址，請先重新登入。",
        "The way to sign in was added.":
            "已新增登入方式。",
        "The way to sign in was removed. Sessions that were made with it have ended.":
            "已移除登入方式。以該方式建立的工作階段已結束。",
        "Your password was changed. Your other sessions have ended.":
            "您的密碼已變更。您的其他工作階段已結束。",
        "Your e-mail address is confirmed.":
            "您的電子郵件地址已確認。",
        "Your e-mail address was changed. Your other sessions have ended.":
            "您的電子郵件地址已變更。您的其他工作階段已結束。",
        "The sessions have ended.":
            "工作階段已結束。",
        "You signed in again. You can make changes now.":
            "您已重新登入，現在可以進行變更。",
        "You are signed in to the other account now.":
            "您現在已登入另一個帳號。",
        "The way to sign in could not be added. Nothing was changed.":
            "無法新增登入方式。未變更任何內容。",
        "The address belongs to an account that is linked to another {provider} account.":
            "此地址屬於某個已連結另一個 {provider} 帳號的帳號。",
        "Sign in to that account in one of its ways, or ask the site's administrator.":
            "請以該帳號的其中一種登入方式登入，或洽詢此網站的管理者。",
        "The address that {provider} sent belongs to an account, and {provider} is not linked to it.":
            "{provider} 傳送的地址屬於某個帳號，而該帳號尚未連結 {provider}。",
        "An account with the address {email} exists, and {provider} is not linked to it.":
            "已有使用地址 {email} 的帳號，而該帳號尚未連結 {provider}。",
        "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it.":
            "請以您平常的方式登入該帳號。接著會詢問您是否要連結 {provider}。",
        "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it.":
            "請以該帳號的其中一種登入方式登入。接著會詢問您是否要連結 {provider}。",
        "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.":
            "此動作在這個瀏覽器中 {minutes} 分鐘內有效。如果您不登入，一切維持不變。",
        "Link {provider} to your account?":
            "要將 {provider} 連結到您的帳號嗎？",
        "A sign-in with {provider} in this browser met your account, because both have the same e-mail address.":
            "此瀏覽器中有一次以 {provider} 進行的登入，其電子郵件地址與您的帳號相同。",
        "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address.":
            "此瀏覽器中有一次以 {provider} 的 {name} 進行的登入，其電子郵件地址與您的帳號相同。",
        "{provider} has not confirmed that the address {email} belongs to that user.":
            "{provider} 尚未確認地址 {email} 屬於該使用者。",
        "If you link it, the user of that {provider} account can sign in to your account.":
            "連結之後，擁有該 {provider} 帳號的人就可以登入您的帳號。",
        "Choose No if you did not sign in with {provider} yourself.":
            "如果您沒有親自以 {provider} 登入，請選擇「否」。",
        "No, do not link":
            "否，不要連結",
        "Yes, link":
            "是，連結",
        "{provider} is linked to another account of this site. Nothing was changed.":
            "{provider} 已連結至此網站的另一個帳號。未變更任何內容。",
        "You can sign in to that account now. You then use that one instead of the one you are signed in to.":
            "您現在可以登入該帳號。之後您使用的是該帳號，而不是目前登入的帳號。",
        "Sign in to the other account":
            "登入另一個帳號",
        "Keep using this account":
            "繼續使用此帳號",
        "Cancel":
            "取消",
        "Confirm that it is you":
            "請確認是您本人",
        "The next step is sensitive. Sign in again to the same account to continue.":
            "下一個步驟較為敏感。請重新登入同一個帳號以繼續。",
        "At least {count} characters. A few words that do not belong together are easy to remember.":
            "至少 {count} 個字元。幾個互不相關的詞很容易記住。",
        "The e-mail address or the password is wrong.":
            "電子郵件地址或密碼錯誤。",
        "There were too many attempts. Try again in a minute.":
            "嘗試次數過多。請一分鐘後再試。",
        "There were too many attempts. Try again in {minutes} minutes.":
            "嘗試次數過多。請 {minutes} 分鐘後再試。",
        "Enter a complete e-mail address, such as name@example.com.":
            "請輸入完整的電子郵件地址，例如 name@example.com。",
        "The password is too short. Use at least {count} characters.":
            "密碼太短。請至少使用 {count} 個字元。",
        "The password is too long. Use at most 1,024 bytes.":
            "密碼太長。最多只能使用 1,024 個位元組。",
        "Many people use this password, so it is easy to guess. Choose another one.":
            "很多人使用這個密碼，因此很容易被猜到。請選擇其他密碼。",
        "Send the mail":
            "寄送郵件",
        "Reset your password":
            "重設您的密碼",
        "Enter the e-mail address of your account. We send you a link to choose a new password.":
            "請輸入您帳號的電子郵件地址。我們會寄給您一個連結，用來選擇新密碼。",
        "Back to the sign-in":
            "返回登入頁面",
        "Choose a new password":
            "選擇新密碼",
        "The change ends your sessions on all devices.":
            "變更後，您在所有裝置上的工作階段都會結束。",
        "Confirm address":
            "確認地址",
        "Does the address {email} belong to you?":
            "地址 {email} 是您的嗎？",
        "This confirms it for the account {account}. If that is not your account, do not confirm.":
            "這會將它確認為帳號 {account} 的地址。如果那不是您的帳號，請勿確認。",
        "This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.":
            "這會為此瀏覽器中開始的註冊確認它。如果不是您開始的，請勿確認。",
        "To confirm the address {email}, enter the password of the account that it is for.":
            "若要確認地址 {email}，請輸入使用此地址的帳號的密碼。",
        "To confirm the address {email}, sign in to the account that it is for.":
            "若要確認地址 {email}，請登入使用此地址的帳號。",
        "You are signed in to another account in this browser.":
            "您在此瀏覽器中登入的是另一個帳號。",
        "Sign in another way":
            "以其他方式登入",
        "I did not create this account":
            "我沒有建立此帳號",
        "I did not ask for this":
            "我沒有提出此要求",
        "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password.":
            "如果是其他人使用您的地址建立了此帳號，您可以接管它。其密碼、其他登入方式與工作階段都會移除，並由您選擇新密碼。",
        "If you did not ask for this mail, you can make its link invalid. Nothing else changes.":
            "如果您沒有要求此郵件，可以讓其中的連結失效。其他一切都不會變更。",
        "The link of the mail does not work any more. Nothing else was changed.":
            "郵件中的連結已失效。其他一切都沒有變更。",
        "Confirm your e-mail address":
            "確認您的電子郵件地址",
        "Password":
            "密碼",
        "Sign in with password":
            "使用密碼登入",
        "Forgot your password?":
            "忘記密碼？",
        "Create an account":
            "建立帳號",
        "You will get a mail with a link that confirms your address.":
            "您會收到一封郵件，其中的連結可確認您的地址。",
        "Sign in instead":
            "改為登入",
        "No mail after a few minutes? Look in the spam folder, and check the address for typing errors.":
            "過了幾分鐘仍未收到郵件？請查看垃圾郵件資料夾，並檢查地址是否有誤。",
        "Check your mail":
            "請查看您的郵件",
        "We sent you a mail. Open the link in it to continue.":
            "我們已寄送郵件給您。請開啟其中的連結以繼續。",
        "If the address belongs to an account, we sent a mail to it. Open the link in it to choose a new password.":
            "如果該地址屬於某個帳號，我們已寄送郵件至該地址。請開啟其中的連結以選擇新密碼。",
        "We sent a mail to the new address. The address of your account changes when you open the link in it.":
            "我們已寄送郵件至新地址。開啟其中的連結後，您帳號的地址就會變更。",
        "Not available on this site":
            "此網站不提供此功能",
        "This site does not keep a list of sessions.":
            "此網站不保存工作階段清單。",
        "To end the session of this browser, sign out.":
            "若要結束此瀏覽器的工作階段，請登出。",
        "This session does not exist":
            "此工作階段不存在",
        "The session has ended already, or it is not one of yours. Nothing was changed.":
            "此工作階段已結束，或不屬於您。未變更任何內容。",
        "Open the list of your sessions again.":
            "請重新開啟您的工作階段清單。",
        "Unknown browser":
            "未知的瀏覽器",
    ]
}
