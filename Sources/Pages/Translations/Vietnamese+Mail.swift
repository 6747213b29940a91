extension Translations {
    static let vietnameseMail: [String: String] = [
        "Confirm your e-mail address for {site}":
            "Xác nhận địa chỉ email của bạn cho {site}",
        "Someone created an account at {site} with this address. If it was you, confirm the address.":
            "Có người đã tạo tài khoản tại {site} bằng địa chỉ này. Nếu đó là bạn, hãy xác nhận địa chỉ.",
        "If it was not you, open the link and say so there, or ignore this mail.":
            "Nếu không phải bạn, hãy mở liên kết và cho biết ở đó, hoặc bỏ qua thư này.",
        "Reset your password for {site}":
            "Đặt lại mật khẩu của bạn cho {site}",
        "Someone asked to reset the password of your account at {site}. If it was you, choose a new password.":
            "Có người đã yêu cầu đặt lại mật khẩu tài khoản của bạn tại {site}. Nếu đó là bạn, hãy chọn mật khẩu mới.",
        "If it was not you, ignore this mail. Your password stays as it is.":
            "Nếu không phải bạn, hãy bỏ qua thư này. Mật khẩu của bạn vẫn giữ nguyên.",
        "Confirm your new e-mail address for {site}":
            "Xác nhận địa chỉ email mới của bạn cho {site}",
        "Someone asked to use this address for an account at {site}. If it was you, confirm the address.":
            "Có người đã yêu cầu dùng địa chỉ này cho một tài khoản tại {site}. Nếu đó là bạn, hãy xác nhận địa chỉ.",
        "If it was not you, ignore this mail. The account keeps its address.":
            "Nếu không phải bạn, hãy bỏ qua thư này. Tài khoản vẫn giữ địa chỉ của nó.",
        "Your e-mail address at {site} was changed":
            "Địa chỉ email của bạn tại {site} đã được đổi",
        "Your account at {site} now has the address {new}. Mails about it no longer go to this address.":
            "Tài khoản của bạn tại {site} bây giờ có địa chỉ {new}. Thư về tài khoản không còn được gửi đến địa chỉ này.",
        "If it was not you, check the ways to sign in of your account, and tell the site's administrator.":
            "Nếu không phải bạn, hãy kiểm tra các cách đăng nhập của tài khoản và báo cho người quản lý trang web.",
        "Your password for {site} was changed":
            "Mật khẩu của bạn cho {site} đã được đổi",
        "The password of your account at {site} was changed. Your other sessions have ended.":
            "Mật khẩu tài khoản của bạn tại {site} đã được đổi. Các phiên khác của bạn đã kết thúc.",
        "If it was not you, reset your password now. Then check the ways to sign in of your account.":
            "Nếu không phải bạn, hãy đặt lại mật khẩu ngay. Sau đó kiểm tra các cách đăng nhập của tài khoản.",
        "A way to sign in was added to your account at {site}":
            "Một cách đăng nhập đã được thêm vào tài khoản của bạn tại {site}",
        "You can now sign in to your account at {site} with {provider}.":
            "Bây giờ bạn có thể đăng nhập vào tài khoản của mình tại {site} bằng {provider}.",
        "If it was not you, remove it from your account now.":
            "Nếu không phải bạn, hãy gỡ bỏ cách đó khỏi tài khoản ngay.",
        "You already have an account at {site}":
            "Bạn đã có tài khoản tại {site}",
        "Someone tried to create an account at {site} with this address. It already has one, so you can sign in as usual.":
            "Có người đã thử tạo tài khoản tại {site} bằng địa chỉ này. Địa chỉ này đã có tài khoản, nên bạn có thể đăng nhập như thường lệ.",
        "If you forgot your password, you can reset it there. If it was not you, ignore this mail.":
            "Nếu quên mật khẩu, bạn có thể đặt lại ở đó. Nếu không phải bạn, hãy bỏ qua thư này.",
        "The link works once, within {minutes} minutes.":
            "Liên kết chỉ dùng được một lần, trong vòng {minutes} phút.",
        "This mail was sent to {email} because of an action at {site}.":
            "Thư này được gửi đến {email} do một thao tác tại {site}.",
        "{code} is your code for {site}. It works for 5 minutes. Do not give it to anybody.":
            "{code} là mã của bạn cho {site}. Mã có hiệu lực 5 phút. Đừng đưa mã cho ai.",
    ]
}
