extension Translations {
    static let traditionalChineseMail: [String: String] = [
        "Confirm your e-mail address for {site}":
            "請確認您在 {site} 的電子郵件地址",
        "Someone created an account at {site} with this address. If it was you, confirm the address.":
            "有人使用此地址在 {site} 建立了帳號。如果是您，請確認此地址。",
        "If it was not you, open the link and say so there, or ignore this mail.":
            "如果不是您，請開啟連結並在頁面上說明，或忽略此郵件。",
        "Reset your password for {site}":
            "重設您在 {site} 的密碼",
        "Someone asked to reset the password of your account at {site}. If it was you, choose a new password.":
            "有人要求重設您在 {site} 的帳號密碼。如果是您，請選擇新密碼。",
        "If it was not you, ignore this mail. Your password stays as it is.":
            "如果不是您，請忽略此郵件。您的密碼維持不變。",
        "Confirm your new e-mail address for {site}":
            "請確認您在 {site} 的新電子郵件地址",
        "Someone asked to use this address for an account at {site}. If it was you, confirm the address.":
            "有人要求將此地址用於 {site} 的帳號。如果是您，請確認此地址。",
        "If it was not you, ignore this mail. The account keeps its address.":
            "如果不是您，請忽略此郵件。該帳號會保留原有的地址。",
        "Your e-mail address at {site} was changed":
            "您在 {site} 的電子郵件地址已變更",
        "Your account at {site} now has the address {new}. Mails about it no longer go to this address.":
            "您在 {site} 的帳號現在使用地址 {new}。相關郵件不會再寄到此地址。",
        "If it was not you, check the ways to sign in of your account, and tell the site's administrator.":
            "如果不是您，請檢查您帳號的登入方式，並告知網站的管理者。",
        "Your password for {site} was changed":
            "您在 {site} 的密碼已變更",
        "The password of your account at {site} was changed. Your other sessions have ended.":
            "您在 {site} 的帳號密碼已變更。您的其他工作階段已結束。",
        "If it was not you, reset your password now. Then check the ways to sign in of your account.":
            "如果不是您，請立即重設密碼，然後檢查您帳號的登入方式。",
        "A way to sign in was added to your account at {site}":
            "您在 {site} 的帳號新增了登入方式",
        "You can now sign in to your account at {site} with {provider}.":
            "您現在可以使用 {provider} 登入您在 {site} 的帳號。",
        "If it was not you, remove it from your account now.":
            "如果不是您，請立即從您的帳號移除它。",
        "You already have an account at {site}":
            "您在 {site} 已有帳號",
        "Someone tried to create an account at {site} with this address. It already has one, so you can sign in as usual.":
            "有人試圖使用此地址在 {site} 建立帳號。此地址已有帳號，因此您可以照常登入。",
        "If you forgot your password, you can reset it there. If it was not you, ignore this mail.":
            "如果忘記密碼，您可以在那裡重設。如果不是您，請忽略此郵件。",
        "The link works once, within {minutes} minutes.":
            "此連結只能使用一次，{minutes} 分鐘內有效。",
        "This mail was sent to {email} because of an action at {site}.":
            "此郵件因 {site} 上的動作而寄送至 {email}。",
        "{code} is your code for {site}. It works for 5 minutes. Do not give it to anybody.":
            "您在 {site} 的驗證碼是 {code}，5 分鐘內有效。請勿告訴任何人。",
    ]
}
