extension Translations {
    static let traditionalChineseAccountErrors: [String: String] = [
        "This link no longer works":
            "此連結已失效",
        "The link from the mail has expired, or it was already used.":
            "郵件中的連結已過期，或已使用過。",
        "Request a new mail and open the link in it.":
            "請要求寄送新的郵件，並開啟其中的連結。",
        "Accounts are unavailable":
            "帳號目前無法使用",
        "This site cannot reach its store of accounts.":
            "此網站無法連線至其帳號儲存庫。",
        "Try again in a minute. If you are signed in, you stay signed in.":
            "請一分鐘後再試。如果您已登入，您會維持登入狀態。",
        "This address is in use":
            "此地址已被使用",
        "The e-mail address at the provider belongs to another account of this site. Nothing was changed.":
            "提供者那邊的電子郵件地址屬於此網站的另一個帳號。未變更任何內容。",
        "Sign in to that account, or link an account with another address.":
            "請登入該帳號，或連結使用其他地址的帳號。",
        "This address already has an account":
            "此地址已有帳號",
        "The address that the provider sent belongs to an account that is not linked to this provider.":
            "提供者傳送的地址屬於某個尚未連結此提供者的帳號。",
        "Sign in to that account in one of its ways. You can then use the new one, too.":
            "請以該帳號的其中一種登入方式登入。之後您也可以使用新的方式。",
        "The e-mail address belongs to another account of this site.":
            "此電子郵件地址屬於此網站的另一個帳號。",
        "Sign in to that account, or use another address.":
            "請登入該帳號，或使用其他地址。",
        "This account is disabled":
            "此帳號已停用",
        "An administrator disabled this account.":
            "管理者已停用此帳號。",
        "If you think this is a mistake, ask the site's administrator.":
            "如果您認為有誤，請洽詢此網站的管理者。",
        "There is no account for you yet":
            "您還沒有帳號",
        "New accounts are created by the site's administrator only.":
            "只有此網站的管理者可以建立新帳號。",
        "Ask the site's administrator for an account, or sign in to one that you have.":
            "請向此網站的管理者申請帳號，或登入您已有的帳號。",
        "This provider is already linked":
            "此提供者已連結",
        "Your account is already linked to an account at this provider.":
            "您的帳號已連結至此提供者的一個帳號。",
        "To link another one, remove the first from your account.":
            "若要連結其他帳號，請先從您的帳號移除原有的連結。",
        "Already linked to another account":
            "已連結至另一個帳號",
        "The account at the provider is linked to another account of this site. Nothing was changed.":
            "提供者那邊的帳號已連結至此網站的另一個帳號。未變更任何內容。",
        "Sign in to the other account, or link another one.":
            "請登入另一個帳號，或連結其他帳號。",
        "This provider is not linked":
            "此提供者未連結",
        "Your account is not linked to this provider. Perhaps you removed it in another window.":
            "您的帳號未連結至此提供者。您可能已在其他視窗中移除它。",
        "Look up its ways to sign in on your account page.":
            "請在您的帳號頁面查看其登入方式。",
        "Your only way to sign in stays":
            "您唯一的登入方式會保留",
        "Without it, you could not sign in again. Nothing was changed.":
            "沒有它，您就無法再次登入。未變更任何內容。",
        "Add another way to sign in before you remove this one.":
            "請先新增其他登入方式，再移除此方式。",
        "This is a different account":
            "這是不同的帳號",
        "You signed in to another account than the one that you are using. Nothing was changed.":
            "您登入的帳號與正在使用的帳號不同。未變更任何內容。",
        "Sign in again to the account that you are using.":
            "請重新登入您正在使用的帳號。",
        "The sign-in failed":
            "登入失敗",
        "The e-mail address or the password is wrong, or the passkey was not accepted.":
            "電子郵件地址或密碼錯誤，或密碼金鑰未被接受。",
        "Check what you entered and try again. If you forgot the password, reset it.":
            "請檢查輸入的內容後再試一次。如果忘記密碼，請重設密碼。",
        "The password is too weak":
            "密碼強度不足",
        "The password is too short, too long or too common.":
            "密碼太短、太長或太常見。",
        "Go back and choose another password.":
            "請返回並選擇其他密碼。",
        "Too many attempts":
            "嘗試次數過多",
        "There were too many attempts for this address, or from your network.":
            "此地址或您的網路嘗試次數過多。",
        "Wait some minutes, then try again.":
            "請稍候幾分鐘再試。",
        "Your e-mail address is not confirmed":
            "您的電子郵件地址未確認",
        "This step needs an account with a confirmed e-mail address.":
            "此步驟需要電子郵件地址已確認的帳號。",
        "Open the link in the mail that we sent you. You can request a new one on your account page.":
            "請開啟我們寄給您的郵件中的連結。您可以在帳號頁面要求寄送新的郵件。",
        "There is nothing to link":
            "沒有可連結的項目",
        "The question has expired, or it was already answered.":
            "這個詢問已過期，或已經回答過。",
        "To link a provider, sign in with it again, or add it on your account page.":
            "若要連結提供者，請再次以它登入，或在您的帳號頁面新增。",
    ]
}
