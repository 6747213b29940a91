extension Translations {
    static let vietnameseAccountErrors: [String: String] = [
        "This link no longer works":
            "Liên kết này không còn hoạt động",
        "The link from the mail has expired, or it was already used.":
            "Liên kết trong thư đã hết hạn hoặc đã được dùng.",
        "Request a new mail and open the link in it.":
            "Hãy yêu cầu thư mới và mở liên kết trong thư đó.",
        "Accounts are unavailable":
            "Hiện không truy cập được tài khoản",
        "This site cannot reach its store of accounts.":
            "Trang web này không kết nối được với kho tài khoản của nó.",
        "Try again in a minute. If you are signed in, you stay signed in.":
            "Hãy thử lại sau một phút. Nếu đã đăng nhập, bạn vẫn giữ nguyên đăng nhập.",
        "This address is in use":
            "Địa chỉ này đang được dùng",
        "The e-mail address at the provider belongs to another account of this site. Nothing was changed.":
            "Địa chỉ email tại nhà cung cấp thuộc về một tài khoản khác của trang web này. Không có gì thay đổi.",
        "Sign in to that account, or link an account with another address.":
            "Hãy đăng nhập vào tài khoản đó, hoặc liên kết một tài khoản có địa chỉ khác.",
        "This address already has an account":
            "Địa chỉ này đã có tài khoản",
        "The address that the provider sent belongs to an account that is not linked to this provider.":
            "Địa chỉ mà nhà cung cấp gửi thuộc về một tài khoản chưa liên kết với nhà cung cấp này.",
        "Sign in to that account in one of its ways. You can then use the new one, too.":
            "Hãy đăng nhập vào tài khoản đó bằng một trong các cách của nó. Sau đó bạn cũng có thể dùng cách mới.",
        "The e-mail address belongs to another account of this site.":
            "Địa chỉ email này thuộc về một tài khoản khác của trang web này.",
        "Sign in to that account, or use another address.":
            "Hãy đăng nhập vào tài khoản đó, hoặc dùng địa chỉ khác.",
        "This account is disabled":
            "Tài khoản này đã bị vô hiệu hóa",
        "An administrator disabled this account.":
            "Người quản lý đã vô hiệu hóa tài khoản này.",
        "If you think this is a mistake, ask the site's administrator.":
            "Nếu bạn cho rằng đây là nhầm lẫn, hãy hỏi người quản lý trang web này.",
        "There is no account for you yet":
            "Chưa có tài khoản cho bạn",
        "New accounts are created by the site's administrator only.":
            "Chỉ người quản lý trang web này mới tạo tài khoản mới.",
        "Ask the site's administrator for an account, or sign in to one that you have.":
            "Hãy xin người quản lý trang web này một tài khoản, hoặc đăng nhập vào tài khoản bạn đang có.",
        "This provider is already linked":
            "Nhà cung cấp này đã được liên kết",
        "Your account is already linked to an account at this provider.":
            "Tài khoản của bạn đã được liên kết với một tài khoản tại nhà cung cấp này.",
        "To link another one, remove the first from your account.":
            "Để liên kết tài khoản khác, trước tiên hãy gỡ bỏ tài khoản cũ khỏi tài khoản của bạn.",
        "Already linked to another account":
            "Đã liên kết với tài khoản khác",
        "The account at the provider is linked to another account of this site. Nothing was changed.":
            "Tài khoản tại nhà cung cấp đã được liên kết với một tài khoản khác của trang web này. Không có gì thay đổi.",
        "Sign in to the other account, or link another one.":
            "Hãy đăng nhập vào tài khoản kia, hoặc liên kết một tài khoản khác.",
        "This provider is not linked":
            "Nhà cung cấp này chưa được liên kết",
        "Your account is not linked to this provider. Perhaps you removed it in another window.":
            "Tài khoản của bạn không liên kết với nhà cung cấp này. Có thể bạn đã gỡ bỏ trong một cửa sổ khác.",
        "Look up its ways to sign in on your account page.":
            "Hãy xem các cách đăng nhập trên trang tài khoản của bạn.",
        "Your only way to sign in stays":
            "Cách đăng nhập duy nhất của bạn được giữ lại",
        "Without it, you could not sign in again. Nothing was changed.":
            "Không có cách đó, bạn sẽ không thể đăng nhập lại. Không có gì thay đổi.",
        "Add another way to sign in before you remove this one.":
            "Hãy thêm một cách đăng nhập khác trước khi gỡ bỏ cách này.",
        "This is a different account":
            "Đây là một tài khoản khác",
        "You signed in to another account than the one that you are using. Nothing was changed.":
            "Bạn đã đăng nhập vào một tài khoản khác với tài khoản bạn đang dùng. Không có gì thay đổi.",
        "Sign in again to the account that you are using.":
            "Hãy đăng nhập lại vào tài khoản bạn đang dùng.",
        "The sign-in failed":
            "Đăng nhập không thành công",
        "The e-mail address or the password is wrong, or the passkey was not accepted.":
            "Địa chỉ email hoặc mật khẩu không đúng, hoặc khóa truy cập không được chấp nhận.",
        "Check what you entered and try again. If you forgot the password, reset it.":
            "Hãy kiểm tra thông tin đã nhập và thử lại. Nếu quên mật khẩu, hãy đặt lại.",
        "The password is too weak":
            "Mật khẩu quá yếu",
        "The password is too short, too long or too common.":
            "Mật khẩu quá ngắn, quá dài hoặc quá phổ biến.",
        "Go back and choose another password.":
            "Hãy quay lại và chọn mật khẩu khác.",
        "Too many attempts":
            "Quá nhiều lần thử",
        "There were too many attempts for this address, or from your network.":
            "Có quá nhiều lần thử cho địa chỉ này hoặc từ mạng của bạn.",
        "Wait some minutes, then try again.":
            "Hãy đợi vài phút rồi thử lại.",
        "Your e-mail address is not confirmed":
            "Địa chỉ email của bạn chưa được xác nhận",
        "This step needs an account with a confirmed e-mail address.":
            "Bước này cần một tài khoản có địa chỉ email đã được xác nhận.",
        "Open the link in the mail that we sent you. You can request a new one on your account page.":
            "Hãy mở liên kết trong thư chúng tôi đã gửi. Bạn có thể yêu cầu thư mới trên trang tài khoản của bạn.",
        "There is nothing to link":
            "Không có gì để liên kết",
        "The question has expired, or it was already answered.":
            "Câu hỏi đã hết hạn hoặc đã được trả lời.",
        "To link a provider, sign in with it again, or add it on your account page.":
            "Để liên kết một nhà cung cấp, hãy đăng nhập lại bằng nó hoặc thêm nó trên trang tài khoản của bạn.",
    ]
}
