extension Translations {
    static let vietnameseSecondFactors: [String: String] = [
        "Confirm your sign-in":
            "Xác nhận đăng nhập",
        "Enter the 6-digit code that your authenticator app shows for {site}.":
            "Nhập mã 6 chữ số mà ứng dụng xác thực của bạn hiển thị cho {site}.",
        "Use the passkey or security key that you added to your account.":
            "Dùng khóa truy cập hoặc khóa bảo mật mà bạn đã thêm vào tài khoản.",
        "Enter the 6-digit code that we sent to {phone}.":
            "Nhập mã 6 chữ số mà chúng tôi đã gửi đến {phone}.",
        "We send a code to {phone}.":
            "Chúng tôi gửi một mã đến {phone}.",
        "Enter one of your recovery codes. Each code works once.":
            "Nhập một trong các mã khôi phục của bạn. Mỗi mã chỉ dùng được một lần.",
        "6-digit code":
            "Mã 6 chữ số",
        "Recovery code":
            "Mã khôi phục",
        "Send the message":
            "Gửi tin nhắn",
        "Use passkey":
            "Dùng khóa truy cập",
        "Confirm":
            "Xác nhận",
        "Send another message":
            "Gửi tin nhắn khác",
        "Do not ask again on this browser for {days} days":
            "Không hỏi lại trên trình duyệt này trong {days} ngày",
        "If you cannot use any of your second factors, ask the site's administrator.":
            "Nếu bạn không dùng được yếu tố thứ hai nào, hãy hỏi người quản lý trang web.",
        "Authenticator app":
            "Ứng dụng xác thực",
        "Passkey or security key":
            "Khóa truy cập hoặc khóa bảo mật",
        "Text message":
            "Tin nhắn SMS",
        "Recovery codes":
            "Mã khôi phục",
        "No passkey was added. Try again, or add another kind of second factor.":
            "Chưa thêm khóa truy cập nào. Hãy thử lại hoặc thêm một loại yếu tố thứ hai khác.",
        "The passkey was not used. Try again, or use another second factor.":
            "Khóa truy cập chưa được dùng. Hãy thử lại hoặc dùng yếu tố thứ hai khác.",
        "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.":
            "Khóa truy cập cần JavaScript và trình duyệt có hỗ trợ. Hãy thêm một loại yếu tố thứ hai khác hoặc dùng trình duyệt khác.",
        "Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.":
            "Khóa truy cập cần JavaScript và trình duyệt có hỗ trợ. Hãy dùng yếu tố thứ hai khác hoặc dùng trình duyệt khác.",
        "Sign in with a passkey":
            "Đăng nhập bằng khóa truy cập",
        "The passkey was not used. Try again, or sign in another way.":
            "Khóa truy cập chưa được dùng. Hãy thử lại hoặc đăng nhập bằng cách khác.",
        "Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.":
            "Khóa truy cập cần JavaScript và trình duyệt có hỗ trợ. Hãy đăng nhập bằng cách khác hoặc dùng trình duyệt khác.",
        "The passkey was not accepted. Try again, or sign in another way.":
            "Khóa truy cập không được chấp nhận. Hãy thử lại hoặc đăng nhập bằng cách khác.",
        "This passkey is already a second factor of your account.":
            "Khóa truy cập này đã là yếu tố thứ hai của tài khoản bạn.",
        "With a second factor, a stolen password is not enough to sign in.":
            "Khi có yếu tố thứ hai, mật khẩu bị đánh cắp là chưa đủ để đăng nhập.",
        "The second factor was added.":
            "Đã thêm yếu tố thứ hai.",
        "The second factor was removed.":
            "Đã gỡ bỏ yếu tố thứ hai.",
        "This site requires a second factor. Add one to continue.":
            "Trang web này yêu cầu yếu tố thứ hai. Hãy thêm một yếu tố để tiếp tục.",
        "To add or remove second factors, sign in again first.":
            "Để thêm hoặc gỡ bỏ yếu tố thứ hai, trước tiên hãy đăng nhập lại.",
        "To add a second factor, confirm your e-mail address first.":
            "Để thêm yếu tố thứ hai, trước tiên hãy xác nhận địa chỉ email của bạn.",
        "You use this site without an account. Add a way to sign in before you add a second factor.":
            "Bạn đang dùng trang web này mà không có tài khoản. Hãy thêm một cách đăng nhập trước khi thêm yếu tố thứ hai.",
        "Continue":
            "Tiếp tục",
        "If you remove your last other second factor, the recovery codes are removed, too.":
            "Nếu bạn gỡ bỏ yếu tố thứ hai cuối cùng khác, các mã khôi phục cũng bị gỡ bỏ.",
        "Codes left: {count}":
            "Số mã còn lại: {count}",
        "An app on your phone or computer shows a new code every 30 seconds.":
            "Một ứng dụng trên điện thoại hoặc máy tính của bạn hiển thị mã mới sau mỗi 30 giây.",
        "Set up an authenticator app":
            "Thiết lập ứng dụng xác thực",
        "Your device asks for your fingerprint, your face or a PIN, or you touch a security key.":
            "Thiết bị của bạn yêu cầu vân tay, khuôn mặt hoặc mã PIN, hoặc bạn chạm vào khóa bảo mật.",
        "Add a passkey":
            "Thêm khóa truy cập",
        "Phone number":
            "Số điện thoại",
        "We send a code to your phone when you sign in.":
            "Chúng tôi gửi mã đến điện thoại của bạn khi bạn đăng nhập.",
        "Ten codes that work once each, for when you cannot use your other second factors.":
            "Mười mã, mỗi mã dùng được một lần, dành cho khi bạn không dùng được các yếu tố thứ hai khác.",
        "You can create them after you add another second factor.":
            "Bạn có thể tạo các mã này sau khi thêm một yếu tố thứ hai khác.",
        "New codes replace the ones that you have.":
            "Các mã mới thay thế các mã bạn đang có.",
        "Create new recovery codes":
            "Tạo mã khôi phục mới",
        "Create recovery codes":
            "Tạo mã khôi phục",
        "Name (optional)":
            "Tên (không bắt buộc)",
        "Add a second factor":
            "Thêm yếu tố thứ hai",
        "With the country code, such as +12025550123.":
            "Kèm mã quốc gia, ví dụ +12025550123.",
        "Scan this QR code with an authenticator app.":
            "Quét mã QR này bằng ứng dụng xác thực.",
        "Then enter the code that the app shows.":
            "Sau đó nhập mã mà ứng dụng hiển thị.",
        "QR code with the secret":
            "Mã QR chứa khóa bí mật",
        "Enter this secret in an authenticator app:":
            "Nhập khóa bí mật này vào ứng dụng xác thực:",
        "Or enter this secret in the app:":
            "Hoặc nhập khóa bí mật này vào ứng dụng:",
        "Open in an authenticator app":
            "Mở trong ứng dụng xác thực",
        "Add the app":
            "Thêm ứng dụng",
        "Confirm your phone number":
            "Xác nhận số điện thoại của bạn",
        "Your browser asks you to create a passkey or to use a security key.":
            "Trình duyệt sẽ yêu cầu bạn tạo khóa truy cập hoặc dùng khóa bảo mật.",
        "Create passkey":
            "Tạo khóa truy cập",
        "The codes that you had before no longer work.":
            "Các mã bạn có trước đây không còn dùng được.",
        "Your recovery codes":
            "Các mã khôi phục của bạn",
        "Each code works once, when you cannot use your other second factors.":
            "Mỗi mã dùng được một lần, khi bạn không dùng được các yếu tố thứ hai khác.",
        "Print this page, or store the codes in a password manager. They are not shown again.":
            "Hãy in trang này hoặc lưu các mã trong trình quản lý mật khẩu. Các mã sẽ không được hiển thị lại.",
        "I have stored them":
            "Tôi đã lưu các mã",
        "The code is wrong, or it was already used. Enter the current one.":
            "Mã không đúng hoặc đã được dùng. Hãy nhập mã hiện tại.",
        "The passkey was not accepted. Try again, or use another second factor.":
            "Khóa truy cập không được chấp nhận. Hãy thử lại hoặc dùng yếu tố thứ hai khác.",
        "The code has expired. Enter a new one.":
            "Mã đã hết hạn. Hãy nhập mã mới.",
        "Too many text messages were requested. You can request another one in a minute.":
            "Có quá nhiều tin nhắn đã được yêu cầu. Bạn có thể yêu cầu tin nhắn khác sau một phút.",
        "Too many text messages were requested. You can request another one in {minutes} minutes.":
            "Có quá nhiều tin nhắn đã được yêu cầu. Bạn có thể yêu cầu tin nhắn khác sau {minutes} phút.",
        "Enter the number with its country code, such as +12025550123.":
            "Nhập số điện thoại kèm mã quốc gia, ví dụ +12025550123.",
        "This second factor is already in use. Add another one.":
            "Yếu tố thứ hai này đã được sử dụng. Hãy thêm yếu tố khác.",
        "Your account has as many second factors as it can have. Remove one before you add another.":
            "Tài khoản của bạn đã có số yếu tố thứ hai tối đa. Hãy gỡ bỏ một yếu tố trước khi thêm yếu tố khác.",
        "This step needs a second factor besides your sign-in.":
            "Bước này cần yếu tố thứ hai ngoài việc đăng nhập.",
        "Continue with your second factor.":
            "Hãy tiếp tục với yếu tố thứ hai của bạn.",
        "The code is wrong":
            "Mã không đúng",
        "The code is wrong, or it was already used.":
            "Mã không đúng hoặc đã được dùng.",
        "Go back and enter the current code.":
            "Hãy quay lại và nhập mã hiện tại.",
        "The code has expired":
            "Mã đã hết hạn",
        "The code is too old, or the step that it belongs to has ended.":
            "Mã quá cũ, hoặc bước dùng mã này đã kết thúc.",
        "Sign in again and enter a new code.":
            "Hãy đăng nhập lại và nhập mã mới.",
        "This second factor is already in use":
            "Yếu tố thứ hai này đã được sử dụng",
        "It is already a second factor of an account on this site. Nothing was changed.":
            "Đây đã là yếu tố thứ hai của một tài khoản trên trang web này. Không có gì thay đổi.",
        "Add another second factor.":
            "Hãy thêm một yếu tố thứ hai khác.",
        "Too many second factors":
            "Quá nhiều yếu tố thứ hai",
        "Your account has as many second factors as it can have.":
            "Tài khoản của bạn đã có số yếu tố thứ hai tối đa.",
        "Remove one before you add another.":
            "Hãy gỡ bỏ một yếu tố trước khi thêm yếu tố khác.",
        "This second factor does not exist":
            "Yếu tố thứ hai này không tồn tại",
        "Your account has no such second factor. Perhaps you removed it in another window.":
            "Tài khoản của bạn không có yếu tố thứ hai này. Có thể bạn đã gỡ bỏ nó trong một cửa sổ khác.",
        "Look up your second factors on your account page.":
            "Hãy xem các yếu tố thứ hai trên trang tài khoản của bạn.",
        "Add a way to sign in first":
            "Trước tiên hãy thêm một cách đăng nhập",
        "An account without a way to sign in cannot have second factors.":
            "Tài khoản không có cách đăng nhập thì không thể có yếu tố thứ hai.",
        "Add a way to sign in on your account page.":
            "Hãy thêm một cách đăng nhập trên trang tài khoản của bạn.",
        "This phone number cannot be used":
            "Không thể dùng số điện thoại này",
        "The phone number is incomplete, or it has no country code.":
            "Số điện thoại chưa đầy đủ hoặc không có mã quốc gia.",
        "Go back and enter the number with its country code.":
            "Hãy quay lại và nhập số điện thoại kèm mã quốc gia.",
        "This is not available":
            "Thao tác này không khả dụng",
        "This site does not offer this kind of second factor, or your account does not allow this.":
            "Trang web này không cung cấp loại yếu tố thứ hai này, hoặc tài khoản của bạn không cho phép.",
        "Look at your account page for what you can do.":
            "Hãy xem trên trang tài khoản của bạn những gì có thể thực hiện.",
        "A second factor was added to your account at {site}":
            "Một yếu tố thứ hai đã được thêm vào tài khoản của bạn tại {site}",
        "Your account at {site} has a new second factor: {factor}.":
            "Tài khoản của bạn tại {site} có yếu tố thứ hai mới: {factor}.",
        "If it was not you, remove it now, and check the ways to sign in of your account.":
            "Nếu không phải bạn, hãy gỡ bỏ nó ngay và kiểm tra các cách đăng nhập của tài khoản.",
        "A second factor was removed from your account at {site}":
            "Một yếu tố thứ hai đã bị gỡ khỏi tài khoản của bạn tại {site}",
        "Your account at {site} no longer has this second factor: {factor}.":
            "Tài khoản của bạn tại {site} không còn yếu tố thứ hai này: {factor}.",
    ]
}
